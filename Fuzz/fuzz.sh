#!/usr/bin/env bash
# Fuzzes each target of Fuzz/RejoinFuzzing for a bounded time, with the address sanitizer, from the
# committed corpus on. Fails on the first fault, keeps the input and says how to replay it.
#
#   Fuzz/fuzz.sh [TARGET …]             fuzz; all targets where none is named
#   Fuzz/fuzz.sh --replay TARGET FILE   feed one input
#   Fuzz/fuzz.sh --minimise [TARGET …]  merge what was found into the committed corpus
#
# FUZZ_SECONDS: the time for each target; 60 where it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1 REJOIN_FUZZ=1

seconds=${FUZZ_SECONDS:-60}
scratch=.build-fuzz

[ "$(uname)" = Linux ] || {
    echo "fuzz: runs on Linux only: the libFuzzer of Xcode's toolchain is not there" >&2
    exit 1
}
bash Scripts/setup.sh build

swift=${SWIFT:-swift}
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$swift")")")")
library=$(find "$toolchain/lib/clang" -name "libclang_rt.fuzzer_no_main-$(uname -m).a" |
    head -n 1)
[ -n "$library" ] || {
    echo "fuzz: this toolchain has no libclang_rt.fuzzer_no_main-$(uname -m).a;" \
        "use one from swift.org" >&2
    exit 1
}

# libFuzzer is linked as a library, so that one program holds all targets. The compiler instruments
# for it; that flag alone, given to the driver, would link libFuzzer's own entry point as well.
options=(
    --configuration release --scratch-path "$scratch" --product RejoinFuzzer --sanitize=address
    -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer -Xlinker "$library" -Xlinker -lstdc++
)
echo "fuzz: building (a minute or more the first time)"
mkdir -p "$scratch"
"$swift" build "${options[@]}" >"$scratch/build.log" 2>&1 || {
    grep -v 'Cannot export local symbol' "$scratch/build.log" >&2
    exit 1
}
fuzzer=$("$swift" build "${options[@]}" --show-bin-path 2>/dev/null)/RejoinFuzzer

# The fault's own text is on standard error; a backtrace of the runtime takes minutes here.
export SWIFT_BACKTRACE=enable=no
# Swift's runtime keeps type metadata for good, which is no leak.
export ASAN_OPTIONS=detect_leaks=0

if [ "${1:-}" = --replay ]; then
    exec "$fuzzer" --target="${2:?the target}" "${3:?the file}"
fi
mode=fuzz
if [ "${1:-}" = --minimise ]; then
    mode=minimise
    shift
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$fuzzer" list | cut -f 1)

summary=""
for target in "${targets[@]}"; do
    found=$scratch/corpora/$target
    committed=Fuzz/Corpora/$target
    mkdir -p "$found" "$committed" "$scratch/faults"
    log=$scratch/$target.log

    if [ "$mode" = minimise ]; then
        # The fewest inputs that reach what all of them reach.
        "$fuzzer" seeds "$target" "$scratch/seeds/$target"
        rm -rf "$scratch/merged"
        mkdir -p "$scratch/merged"
        "$fuzzer" --target="$target" -set_cover_merge=1 "$scratch/merged" "$committed" \
            "$scratch/seeds/$target" "$found" >"$log" 2>&1
        rm -rf "$committed"
        mv "$scratch/merged" "$committed"
        echo "fuzz: $target: $(find "$committed" -type f | wc -l) inputs," \
            "$(du -sb "$committed" | cut -f 1) bytes"
        continue
    fi

    echo "fuzz: $target for $seconds s"
    words=$("$fuzzer" list | awk -F '\t' -v name="$target" '$1 == name { print $2 }')
    status=0
    "$fuzzer" --target="$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$scratch/faults/$target-" -dict="Fuzz/Dictionaries/$words.dict" \
        "$found" "$committed" >"$log" 2>&1 || status=$?
    if [ $status -ne 0 ]; then
        grep -vE '^#[0-9]+' "$log" | tail -n 40 >&2
        file=$(grep -oE "$scratch/faults/$target-[a-z]+-[0-9a-f]+" "$log" | tail -n 1)
        echo "fuzz: $target is broken by ${file:-an input that was not kept}" >&2
        echo "fuzz: replay it by: Fuzz/fuzz.sh --replay $target $file" >&2
        echo "fuzz: once it is repaired, keep it: cp $file $committed/" >&2
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    cover=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d ' ' -f 2)
    summary+=$(printf '%-16s %10s runs %8s a second %7s edges' \
        "$target" "$runs" "$speed" "$cover")$'\n'
done

[ "$mode" = minimise ] || printf '\nfuzz: no fault\n%s' "$summary"
