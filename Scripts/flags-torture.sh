#!/usr/bin/env bash
# The whole reload torture: 10,000 rewrites of each kind with concurrent readers, once as built and
# once under the thread sanitizer (`--sanitize`, which builds into a folder of its own).
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1 REJOIN_FLAGS_REWRITES=${REJOIN_FLAGS_REWRITES:-10000}
options=()
if [ "${1:-}" = --sanitize ]; then
    options=(--sanitize thread --scratch-path .build/thread)
fi
swift test "${options[@]}" --filter '^RejoinFlagsTests\.ReloadTortureTests'
