#!/usr/bin/env bash
# Proves that the legacy pipeline can be deleted in one commit: takes a copy of the last commit,
# deletes its target and the line that registers it, and builds and tests what remains. Rooms whose
# flag still says `legacy` are served by the refactored pipeline then.
set -euo pipefail
cd "$(dirname "$0")/.."
export REJOIN_DEVELOPMENT=1

copy=.build-without-legacy
rm -rf "$copy/source"
mkdir -p "$copy/source"
git archive HEAD | tar -x -C "$copy/source"

cd "$copy/source"
echo "without-legacy: deleting the target, its tests and its registration"
rm -rf Sources/RejoinLegacyPipeline Tests/RejoinLegacyPipelineTests \
    Tests/RejoinLegacyPipelineContractTests
python3 - <<'EDIT'
import re

def edit(path, *replacements):
    with open(path) as file:
        text = file.read()
    for pattern, replacement in replacements:
        text, count = re.subn(pattern, replacement, text)
        assert count, f"{path}: nothing matches {pattern!r}; mend Scripts/without-legacy.sh"
    with open(path, "w") as file:
        file.write(text)

edit(
    "Package.swift",
    (r'    library\("RejoinLegacyPipeline".*\n', ""),
    (r'    "RejoinLegacyPipeline": \[.*\n', ""),
    (r'        unitTests\(\n +"RejoinLegacyPipeline",\n.*\n', ""),
    (r' "RejoinLegacyPipeline",', ""),
)
edit(
    "Sources/RejoinKit/Client/ChatServices.swift",
    (r"internal import RejoinLegacyPipeline\n", ""),
    (r"        registry.register\(.legacy\).*\n", ""),
)
edit(
    "Tests/RejoinStructureTests/TidyTests.swift", (r' "RejoinLegacyPipeline",', "")
)
EDIT

log=../tests.log

swift build --build-tests --scratch-path ../build >../build.log 2>&1 || {
    grep -E 'error:' ../build.log >&2
    exit 1
}
# What speaks of the legacy pipeline's losses goes with it; the broker's tests know no pipeline.
swift test --skip-build --scratch-path ../build --no-parallel \
    --skip '[lL]egacy' --skip '^RejoinBrokerTests' --skip '^RejoinFlagsTests' >"$log" 2>&1 || {
    grep -E '^✘' "$log" >&2
    exit 1
}
grep -E 'Test run with' "$log"
