/// What the layout knows about a code point, in one number: see `Scripts/unicode-tables.py`.
struct CharacterProperties: Hashable {
    /// The bits.
    let rawValue: UInt16

    /// The class of line breaking.
    var line: Int { Int(rawValue & 63) }
    /// The class of grapheme clusters.
    var grapheme: Int { Int(rawValue >> 6 & 15) }
    /// What it means for a paragraph's direction.
    var direction: DirectionClass {
        DirectionClass(rawValue: UInt8(rawValue >> 10 & 7)) ?? .neutral
    }
    /// Whether it is white space that hangs at the end of a line.
    var hangs: Bool { rawValue & 1 << 13 != 0 }
    /// Whether it is anything but a neutral or left-to-right character without a dictionary.
    var isUnusual: Bool { rawValue & 0x5C00 > DirectionClass.leftBits }
    /// Whether a dictionary tells where its words end (class SA of UAX #14).
    var isDictionary: Bool { rawValue & 1 << 14 != 0 }
}

/// What a code point means for the direction of its paragraph (UAX #9, rules P2 and P3).
enum DirectionClass: UInt8 {
    /// The bits of `left` in ``CharacterProperties``.
    static let leftBits: UInt16 = 1 << 10

    /// Nothing.
    case neutral
    /// A strong character of a script that is written to the right.
    case left
    /// A strong character of a script that is written to the left.
    case right
    /// Begins an isolate, whose characters do not count.
    case isolate
    /// Ends an isolate.
    case popIsolate
    /// Says nothing about the direction, yet may stand elsewhere than its order tells: an Arabic
    /// number or an explicit control.
    case reordered
}

/// The tables, unpacked once for the process.
struct CharacterTables {
    /// For each block of code points, where it begins in `blocks`.
    private let index: [UInt16]
    /// Numbers in the palette.
    private let blocks: [UInt8]
    /// The combinations of properties.
    private let palette: [UInt16]
    /// The properties of ASCII without detours.
    private let ascii: [UInt16]

    static let shared = CharacterTables()

    private init() {
        let palette = Self.numbers(CharacterTable.palette, digits: 4)
        let blocks = Self.numbers(CharacterTable.blocks, digits: 2).map { UInt8($0) }
        let runs = Self.numbers(CharacterTable.index, digits: 4)
        var index: [UInt16] = []
        for run in stride(from: 0, to: runs.count, by: 2) {
            index.append(contentsOf: repeatElement(runs[run], count: Int(runs[run + 1])))
        }
        self.index = index
        self.blocks = blocks
        self.palette = palette
        ascii = (0..<128).map {
            palette[Int(blocks[Int(index[$0 >> 6]) << 6 | $0 & 63])]
        }
    }

    /// The properties of a code point; those of a letter beyond U+10FFFF.
    func properties(of code: UInt32) -> CharacterProperties {
        let code = Int(code)
        if code < 128 { return CharacterProperties(rawValue: ascii[code]) }
        guard code < 0x11_0000 else { return CharacterProperties(rawValue: 0) }
        let place = Int(index[code >> 6]) << 6 | code & 63
        return CharacterProperties(rawValue: palette[Int(blocks[place])])
    }

    /// The tables without checks, for the loop over a text.
    struct Reader {
        private let index: UnsafeBufferPointer<UInt16>
        private let blocks: UnsafeBufferPointer<UInt8>
        private let palette: UnsafeBufferPointer<UInt16>
        private let ascii: UnsafeBufferPointer<UInt16>

        fileprivate init(
            index: UnsafeBufferPointer<UInt16>, blocks: UnsafeBufferPointer<UInt8>,
            palette: UnsafeBufferPointer<UInt16>, ascii: UnsafeBufferPointer<UInt16>
        ) {
            self.index = index
            self.blocks = blocks
            self.palette = palette
            self.ascii = ascii
        }

        /// The properties of a byte below 0x80.
        @inline(__always)
        func ascii(_ byte: UInt8) -> CharacterProperties {
            CharacterProperties(rawValue: ascii[Int(byte & 0x7F)])
        }

        /// The properties of any other code point.
        @inline(__always)
        func properties(of code: UInt32) -> CharacterProperties {
            // Ill-formed text may give more than U+10FFFF.
            let code = Int(min(code, 0x10_FFFF))
            let block = Int(index[code >> 6])
            return CharacterProperties(rawValue: palette[Int(blocks[block << 6 | code & 63])])
        }
    }

    /// Lends the tables for one call.
    func withReader<Result>(_ body: (Reader) -> Result) -> Result {
        // Unsafe for the reason that `TextAnalysis` gives; the buffers do not leave the call.
        index.withUnsafeBufferPointer { index in
            blocks.withUnsafeBufferPointer { blocks in
                palette.withUnsafeBufferPointer { palette in
                    ascii.withUnsafeBufferPointer { ascii in
                        body(
                            Reader(index: index, blocks: blocks, palette: palette, ascii: ascii))
                    }
                }
            }
        }
    }

    private static func numbers(_ text: String, digits: Int) -> [UInt16] {
        var numbers: [UInt16] = []
        var number: UInt16 = 0
        for (place, digit) in text.utf8.enumerated() {
            number = number << 4 | UInt16(digit < 0x3A ? digit - 0x30 : digit - 0x57)
            if place % digits == digits - 1 {
                numbers.append(number)
                number = 0
            }
        }
        return numbers
    }
}
