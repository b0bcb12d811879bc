#!/usr/bin/env bash
# Builds Examples/FlagsHost as its people would, and proves that the plugins keep their word there:
# a mistake in the flags file fails the build at its line and column, `flags-lint` finds it,
# `flags-rollout` ramps and takes back. What changes files happens in a copy.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
# A host builds without our switches.
unset REJOIN_DEVELOPMENT

fail() {
    echo "flags-host: $*" >&2
    exit 1
}
expect() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "'$2' was expected and not said"; }; }

(cd Examples/FlagsHost && swift run FlagsHost)

copy=$root/.build/flags-host/FlagsHost
rm -rf "$copy"
mkdir -p "$copy"
cp -R Examples/FlagsHost/Package.swift Examples/FlagsHost/Sources "$copy"
sed -i.original 's|path: "../.."|path: "../../.."|' "$copy/Package.swift"
cd "$copy"
flags=Sources/FlagsHost/chat.flagd.json
said=$copy/said
# One build folder for both: all but the host itself is the same.
scratch=(--scratch-path "$root/Examples/FlagsHost/.build")
ramp() {
    swift package "${scratch[@]}" --allow-writing-to-package-directory flags-rollout "$@" \
        >"$said" 2>"$said.errors"
}

swift package "${scratch[@]}" flags-lint --strict >"$said" 2>"$said.errors" || fail "flags-lint: $(cat "$said")"
expect "$said" "0 errors, 0 warnings in 1 file"

cp "$flags" before.json
ramp --flag message-pipeline --refactored 25 --shadow 0 --rollback --dry-run &&
    fail "a rollback that raises was not refused"
expect "$said" "$flags:12:11: error: flag 'message-pipeline': --rollback only lowers"
ramp --flag message-pipeline --shadow 20 --dry-run || fail "$(cat "$said" "$said.errors")"
cmp "$flags" before.json || fail "a dry run wrote"
ramp --flag message-pipeline --shadow 20 || fail "$(cat "$said" "$said.errors")"
expect "$said" "'shadow'      10 % -> 20 %"
[ "$(diff before.json "$flags" | grep -c '^>')" = 2 ] || fail "a ramp changed more than two lines"
swift package "${scratch[@]}" flags-lint --baseline before.json >"$said" 2>"$said.errors" ||
    fail "a ramp is not true to its baseline: $(cat "$said")"
ramp --flag message-pipeline --rollback || fail "$(cat "$said" "$said.errors")"
ramp --flag message-pipeline --shadow 10 || fail "$(cat "$said" "$said.errors")"
expect "$said" "generation 1 -> 2"

cp before.json "$flags"
sed -i.original 's|\["shadow", 10\]|["shadwo", 10]|' "$flags"
swift build "${scratch[@]}" >"$said" 2>&1 && fail "a broken flags file was built"
expect "$said" "$flags:13:12: error: flag 'message-pipeline': the targeting names 'shadwo'"
swift package "${scratch[@]}" flags-lint >"$said" 2>&1 && fail "flags-lint found nothing"
expect "$said" "$flags:13:12: error: flag 'message-pipeline': the targeting names 'shadwo'"

# The file of every type and odd name, whose Swift the tests hold as a snapshot, is Swift.
cp "$root/Tests/RejoinFlagsToolingTests/Fixtures/everything.flagd.json" "$flags"
printf 'import RejoinFlags\n@main enum Host { static func main() { print(Flags.catalogue.declarations.count) } }\n' \
    >Sources/FlagsHost/FlagsHost.swift
swift build "${scratch[@]}" >"$said" 2>&1 || fail "$(cat "$said")"
echo "flags-host: the plugins keep their word"
