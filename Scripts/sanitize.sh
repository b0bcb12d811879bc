#!/usr/bin/env bash
# Runs the tests under the thread and the address sanitizer, each built apart. Fails where a test
# fails or a sanitizer reports anything: nothing is suppressed.
#
#   Scripts/sanitize.sh [thread] [address]   both where none is named
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1

sanitizers=("$@")
[ ${#sanitizers[@]} -gt 0 ] || sanitizers=(thread address)

[ "$(uname)" = Linux ] || {
    echo "sanitize: runs on Linux only; on a Mac: swift test --sanitize=thread (or address)" >&2
    exit 1
}
bash Scripts/setup.sh test

say() { printf '\n== %s\n' "$*"; }

# These look at sources and the manifest; there is nothing for a sanitizer in them.
unfit='^RejoinStructureTests\.'
# One thread runs a seed of the simulator: the fifty that failed once, which stay, show a sanitizer
# what thousands would, and these take hours under it.
seeds='^RejoinSimulationTests\.((Mutant|Flip|Rollout|Options)Tests|SimulationTests/(refactored|legacy))'
# One after the other: those with real sockets, as in Scripts/test.sh, and those that are given a
# time, which means something only where no sanitized computation holds the threads meanwhile.
alone='^Rejoin(WebSocket|HTTP|Server|Chat|Transport)(Contract)?Tests\.|^Rejoin(CLI|Broker|Kit)Tests\.'

# A backtrace of the runtime beside the sanitizer's own takes minutes.
export SWIFT_BACKTRACE=enable=no
# Swift's runtime keeps type metadata for good, which is no leak.
export ASAN_OPTIONS="detect_leaks=0"
export TSAN_OPTIONS="halt_on_error=0 history_size=4"
# For programs that the tests start with an environment of their own.
symbolizer=$(command -v llvm-symbolizer || true)
[ -z "$symbolizer" ] || TSAN_OPTIONS+=" external_symbolizer_path=$symbolizer"

summaries=""
for sanitizer in "${sanitizers[@]}"; do
    scratch=.build-${sanitizer:0:1}san
    log=$scratch/tests.log
    reports=$PWD/$scratch/report
    mkdir -p "$scratch"
    rm -f "$reports".*

    say "Build for the $sanitizer sanitizer (many minutes the first time)"
    swift build --build-tests --sanitize="$sanitizer" --scratch-path "$scratch" \
        >"$scratch/build.log" 2>&1 || {
        grep -v 'Cannot export local symbol' "$scratch/build.log" >&2
        exit 1
    }
    tests=$(swift build --sanitize="$sanitizer" --scratch-path "$scratch" --show-bin-path)
    tests=$tests/RejoinPackageTests.xctest

    preload=()
    if [ "$sanitizer" = thread ]; then
        toolchain=$(dirname "$(readlink -f "$(command -v swift)")")
        "$toolchain/clang" -shared -fPIC -O1 -o "$scratch/mutex-order.so" \
            Scripts/sanitize/mutex-order.c -ldl
        preload=(env LD_PRELOAD="$PWD/$scratch/mutex-order.so")
    fi

    run() {
        say "$1 under the $sanitizer sanitizer"
        shift
        # The bundle itself, not `swift test`, which now and then waits for ever for a bundle that
        # has ended with a sanitizer's report.
        status=0
        TSAN_OPTIONS="$TSAN_OPTIONS log_path=$reports" ASAN_OPTIONS="$ASAN_OPTIONS:log_path=$reports" \
            bash Scripts/with-rabbitmq.sh "${preload[@]}" "$tests" --testing-library swift-testing "$@" \
            >"$log" 2>&1 || status=$?
        grep -E '✘|Test run with' "$log" || true
        summaries+="$sanitizer: $(grep -E 'Test run with' "$log" | tail -n 1)"$'\n'
        if compgen -G "$reports.*" >/dev/null; then
            grep -hE 'SUMMARY' "$reports".* | sort | uniq -c | sort -rn | head -n 40 >&2
            echo "sanitize: the reports stand in $scratch/report.*" >&2
            exit 1
        fi
        [ $status -eq 0 ] && grep -qE 'Test run with [1-9][0-9]* tests? .*passed' "$log" || {
            echo "sanitize: tests failed, or none ran; see $log" >&2
            exit 1
        }
    }
    run "Tests of the cores" --skip "$alone" --skip "$unfit" --skip "$seeds"
    run "Tests one after the other" --no-parallel --filter "$alone"
done

say "Summary"
printf '%s' "$summaries"
