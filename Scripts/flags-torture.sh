#!/usr/bin/env bash
# The whole reload torture: 10,000 rewrites of each kind with concurrent readers. It takes minutes;
# `make test` runs a few hundred. Under the thread sanitizer, with all other tests:
#
#   REJOIN_FLAGS_REWRITES=10000 bash Scripts/sanitize.sh thread
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1 REJOIN_FLAGS_REWRITES=${REJOIN_FLAGS_REWRITES:-10000}
swift test --filter '^RejoinFlagsTests\.ReloadTortureTests'
