#!/usr/bin/env python3
"""Writes Sources/RejoinLayout/Text/Unicode/CharacterTable.swift out of the Unicode Character Database.

    Scripts/unicode-tables.py [DIRECTORY]

DIRECTORY holds the database as Debian's package `unicode-data` lays it out (default:
/usr/share/unicode). The result is committed; run this again for a new version of Unicode, copy the
test files of that version into Tests/RejoinLayoutTests/Vectors, and let the tests judge.

One number describes a code point: its class of line breaking (UAX #14, with rule LB1 and the wide
brackets of LB30 resolved), its class of grapheme clusters (UAX #29), what it means for a paragraph's
direction (UAX #9), whether it hangs at the end of a line, and whether a dictionary breaks it. The
few combinations that exist form a palette; a two-stage table leads from a code point to the palette.
"""
import re
import sys
from pathlib import Path

LINE = """AL BK CR LF NL SP ZW WJ GL CM ZWJ B2 BA BB HY CB CL CP CPW EX IN NS OP OPW QU IS NU PO PR SY
HL EB EM ID EPN KJ H2 H3 JL JV JT RI""".split()
GRAPHEME = """Other CR LF Control Extend ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT
Extended_Pictographic""".split()
NEUTRAL, LEFT, RIGHT, ISOLATE, POP_ISOLATE, REORDERED = range(6)
DIRECTION = {
    "L": LEFT, "R": RIGHT, "AL": RIGHT, "LRI": ISOLATE, "RLI": ISOLATE, "FSI": ISOLATE,
    "PDI": POP_ISOLATE, "AN": REORDERED, "LRE": REORDERED, "RLE": REORDERED, "LRO": REORDERED,
    "RLO": REORDERED, "PDF": REORDERED,
}
BLOCK = 64
COUNT = 0x110000


def properties(path, default, only=None):
    """The values of a property for each code point, `@missing` lines left to the caller."""
    values = [default] * COUNT
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) < 2 or (only and fields[1] not in only):
            continue
        first, _, last = fields[0].partition("..")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            values[code] = fields[1]
    return values


def missing(path, values, default):
    """Applies `# @missing: XXXX..YYYY; Value` lines to code points that have no value."""
    text = path.read_text(encoding="utf-8")
    for first, last, name in re.findall(
            r"^# @missing: (\w+)\.\.(\w+); (\w+)", text, re.M):
        short = {"Left_To_Right": "L", "Right_To_Left": "R", "Arabic_Letter": "AL",
                 "European_Terminator": "ET", "Boundary_Neutral": "BN"}[name]
        for code in range(int(first, 16), int(last, 16) + 1):
            if values[code] is None or isinstance(values[code], Missing):
                values[code] = Missing(short)


class Missing(str):
    """A default, which a later `@missing` line may narrow."""


def palette(root):
    line = properties(root / "LineBreak.txt", "XX")
    width = properties(root / "EastAsianWidth.txt", "N")
    category = properties(root / "extracted/DerivedGeneralCategory.txt", "Cn")
    grapheme = properties(root / "auxiliary/GraphemeBreakProperty.txt", "Other")
    picture = properties(
        root / "emoji/emoji-data.txt", None, {"Extended_Pictographic"})
    bidi = properties(root / "extracted/DerivedBidiClass.txt", None)
    missing(root / "extracted/DerivedBidiClass.txt", bidi, "L")
    values = []
    for code in range(COUNT):
        kind = line[code]
        dictionary = kind == "SA"
        if kind == "XX":  # The blocks whose unassigned code points are ideographs: see LineBreak.txt.
            ideographs = (0x3400 <= code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF
                          or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FFFD
                          or 0x30000 <= code <= 0x3FFFD or 0x1F000 <= code <= 0x1FAFF
                          or 0x1FC00 <= code <= 0x1FFFD)
            kind = "ID" if ideographs else "PR" if 0x20A0 <= code <= 0x20CF else "AL"
        if kind == "SA":
            kind = "CM" if category[code] in ("Mn", "Mc") else "AL"
        kind = {"AI": "AL", "SG": "AL", "CJ": "NS"}.get(kind, kind)
        if kind in ("OP", "CP") and width[code] in "FWH":
            kind += "W"
        if picture[code] and category[code] == "Cn":
            kind = "EPN"
        if kind == "ID" and (0x3131 <= code <= 0x318E or 0xFFA0 <= code <= 0xFFDC):
            kind = "KJ"
        cluster = grapheme[code]
        if picture[code]:
            assert cluster == "Other", hex(code)
            cluster = "Extended_Pictographic"
        hangs = code in (9, 0x200B) or (category[code] == "Zs" and code != 0xA0)
        values.append(
            LINE.index(kind) | GRAPHEME.index(cluster) << 6
            | DIRECTION.get(bidi[code], NEUTRAL) << 10 | hangs << 13 | dictionary << 14)
    return values


def lines(numbers, width):
    """Hexadecimal digits of a fixed number, as lines of a multi-line string literal."""
    digits = "".join(f"{number:0{width}x}" for number in numbers)
    return "\\\n".join(
        "        " + digits[start:start + 88] for start in range(0, len(digits), 88))


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    version = re.search(r"LineBreak-([\d.]+)\.txt", (root / "LineBreak.txt").read_text("utf-8"))[1]
    values = palette(root)
    colours = sorted(set(values), key=lambda value: values.index(value))
    assert len(colours) <= 256
    number = {value: index for index, value in enumerate(colours)}
    blocks, index = {}, []
    for start in range(0, COUNT, BLOCK):
        block = tuple(number[value] for value in values[start:start + BLOCK])
        index.append(blocks.setdefault(block, len(blocks)))
    stage2 = [value for block in blocks for value in block]
    # Runs of equal blocks (unassigned planes, ideographs) shorten the first stage.
    runs = []
    for block in index:
        if runs and runs[-1][0] == block and runs[-1][1] < 0xFFFF:
            runs[-1][1] += 1
        else:
            runs.append([block, 1])
    flat = [part for run in runs for part in run]
    target = Path(__file__).parent.parent / "Sources/RejoinLayout/Text/Unicode/CharacterTable.swift"
    target.write_text(f'''\
// Written by Scripts/unicode-tables.py from the Unicode Character Database {version}; do not edit.
//
// © 2022 Unicode®, Inc. For terms of use, see https://www.unicode.org/terms_of_use.html

/// The numbers of ``CharacterProperties``, as hexadecimal digits: a string literal compiles in no
/// time, and the {len(stage2) // 1024} KiB are unpacked when first used.
enum CharacterTable {{
    /// The version of Unicode.
    static let version = "{version}"
    /// Code points in a block of the second stage.
    static let blockSize = {BLOCK}
    /// Each combination of properties that exists, 4 digits each.
    static let palette = """
{lines(colours, 4)}
        """
    /// The first stage: pairs of a block's number and how often it repeats, 4 digits each.
    static let index = """
{lines(flat, 4)}
        """
    /// The second stage: numbers in the palette, 2 digits each.
    static let blocks = """
{lines(stage2, 2)}
        """
}}
''', encoding="utf-8")
    print(f"{len(colours)} combinations, {len(blocks)} blocks, {len(runs)} runs")


if __name__ == "__main__":
    main()
