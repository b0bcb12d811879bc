#!/usr/bin/env bash
# Has flagd's Python evaluator answer random flags files, and prints the path of its answers for
# `DifferentialTests` (REJOIN_FLAGS_ORACLE). Another seed every day; REJOIN_FLAGS_SEED fixes it.
# Where the package index cannot be reached it says so loudly and prints nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
package=openfeature-flagd-core==1.0.0
venv=.build/flags-oracle/venv
mkdir -p .build/flags-oracle

skip() {
    {
        echo "!!! flags-oracle: $1"
        echo "!!! flags-oracle: the differential test against $package does NOT run"
    } >&2
    # In CI a check that silently stays away is a check that is gone.
    [ -z "${REJOIN_REQUIRE_ORACLE:-}" ] || exit 1
    exit 0
}

command -v python3 >/dev/null || skip "there is no python3"
if ! "$venv/bin/python" -c 'import openfeature.contrib.tools.flagd.core' 2>/dev/null; then
    rm -rf "$venv"
    python3 -m venv "$venv" >&2 || skip "python3 has no venv; install python3-venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$package" >&2 ||
        skip "$package cannot be installed; is the package index reachable?"
fi
seed=${REJOIN_FLAGS_SEED:-$(date +%Y%m%d)}
answers=$PWD/.build/flags-oracle/answers.jsonl
"$venv/bin/python" Tests/RejoinFlagsTests/Oracle/differential.py "$seed" \
    "${REJOIN_FLAGS_FILES:-400}" > "$answers"
echo "flags-oracle: $(wc -l < "$answers") lines of seed $seed" >&2
echo "$answers"
