#!/usr/bin/env bash
# Type-checks the Apple sources of RejoinTypography and RejoinUIKit where there is no Apple SDK,
# against declarations of exactly the symbols that they use (Tests/AppleStubs). Warnings are errors.
# It proves types, isolation and availability of names as Apple's documentation has them; it runs
# nothing, so it says nothing of how the views behave.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT

strict=(
    -swift-version 6 -warnings-as-errors
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature NonisolatedNonsendingByDefault
)

# The macros of the tests.
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
testing=(-plugin-path "$toolchain/lib/swift/host/plugins/testing")

# emit MODULE FOLDERS [FLAGS]: leaves MODULE.swiftmodule where the next modules find it.
emit() {
    local module=$1 folders=$2
    shift 2
    # shellcheck disable=SC2086 # several folders
    find $folders -name '*.swift' | LC_ALL=C sort >"$modules/$module.files"
    if ! [ -s "$modules/$module.files" ]; then
        echo "check-apple: no Swift files in $folders" >&2
        exit 1
    fi
    swiftc -emit-module -module-name "$module" -package-name rejoin -parse-as-library \
        -emit-module-path "$modules/$module.swiftmodule" -I "$modules" "$@" \
        "@$modules/$module.files"
}

# check MODULE FOLDERS [FLAGS]: checks all function bodies, with what only SIL shows
# (initialisation, regions of isolation), and emits the module.
check() {
    local module=$1 folders=$2
    shift 2
    emit "$module" "$folders" "${strict[@]}" "$@"
    swiftc -emit-sil -wmo -o /dev/null -module-name "$module" -package-name rejoin \
        -parse-as-library -I "$modules" "${strict[@]}" "$@" "@$modules/$module.files"
    echo "check-apple: $module: $(xargs grep -lE "canImport\((CoreText|UIKit)\)" \
        <"$modules/$module.files" | wc -l) Apple files type-check"
}

for stub in CoreGraphics CoreText QuartzCore UIKit; do
    emit "$stub" "Tests/AppleStubs/$stub" -swift-version 6 -warnings-as-errors
done
emit RejoinTime Sources/RejoinTime "${strict[@]}"
emit RejoinJSON Sources/RejoinJSON "${strict[@]}"
emit RejoinModel Sources/RejoinModel "${strict[@]}"
emit RejoinLayout Sources/RejoinLayout "${strict[@]}"
check RejoinTypography Sources/RejoinTypography
check RejoinUIKit Sources/RejoinUIKit
# The contract checks of these modules, and the tests that wait for a Mac.
contracts=Sources/RejoinContracts
emit RejoinContracts \
    "$contracts/ContractCheck.swift $contracts/InWords.swift $contracts/SeededGenerator.swift \
        $contracts/RejoinLayout" \
    "${strict[@]}"
for tests in RejoinTypographyContractTests RejoinUIKitTests RejoinUIKitContractTests; do
    check "$tests" "Tests/$tests" "${testing[@]}"
done
