#!/usr/bin/env bash
# Builds everything once, then runs the formatting check, all tests (with a private broker) and the
# example. Fails when a step fails or when no test ran.
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1

bash Scripts/setup.sh test

say() { printf '\n== %s\n' "$*"; }

say "Formatting"
swift format lint --strict --parallel -r Sources Tests Benchmarks Examples Package.swift

say "Build"
swift build --build-tests --explicit-target-dependency-import-check error

say "Tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bash Scripts/with-rabbitmq.sh swift test --skip-build "$@" 2>&1 | tee "$log"

# `swift test` ends with 0 when a filter matches nothing; that is no success.
grep -qE 'Test run with [1-9][0-9]* tests' "$log" || {
    echo "test: no test ran" >&2
    exit 1
}

say "Example"
(cd Examples/MiniHost && swift run MiniHost)
grep -E 'Test run with' "$log" | tail -n 1
