#!/usr/bin/env bash
# Checks the formatting, builds everything once, then runs all tests (with a private broker), the
# examples and the types of the Apple sources. Fails when a step fails or when no test ran.
# Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1

bash Scripts/setup.sh test

say() { printf '\n== %s\n' "$*"; }

say "Formatting"
swift format lint --strict --parallel -r Sources Plugins Tests Benchmarks Examples Fuzz Package.swift

say "Build"
swift build --build-tests --explicit-target-dependency-import-check error

say "Answers of flagd's evaluator to random flags files"
REJOIN_FLAGS_ORACLE=$(bash Scripts/flags-oracle.sh)
if [ -n "$REJOIN_FLAGS_ORACLE" ]; then
    export REJOIN_FLAGS_ORACLE
else
    unset REJOIN_FLAGS_ORACLE
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Suites with real sockets run one after the other: beside thousands of seeded runs on two cores
# their peers would seem to hang.
sockets='^Rejoin(WebSocket|HTTP|Server|Chat)(Contract)?Tests\.|^Rejoin(CLI|Broker)Tests\.'

run() {
    bash Scripts/with-rabbitmq.sh swift test --skip-build "$@" 2>&1 | tee "$log"
    # `swift test` ends with 0 when a filter matches nothing; that is no success.
    grep -qE 'Test run with [1-9][0-9]* tests? .*passed' "$log" || {
        echo "test: no test ran, or some failed" >&2
        exit 1
    }
    summaries+=$(grep -E 'Test run with' "$log" | tail -n 1)$'\n'
}
summaries=""

if [ $# -gt 0 ]; then
    say "Tests"
    run "$@"
else
    say "Tests of the cores"
    run --skip "$sockets"
    say "Tests with real sockets"
    run --no-parallel --filter "$sockets"
    say "Example"
    (cd Examples/MiniHost && env -u REJOIN_DEVELOPMENT swift run MiniHost)
    say "Plugins"
    bash Scripts/flags-host.sh
    if [ "$(uname)" = Linux ]; then
        say "Types of the Apple sources"
        bash Scripts/check-apple.sh
    fi
fi

say "Summary"
printf '%s' "$summaries"
