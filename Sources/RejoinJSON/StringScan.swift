/// The byte arithmetic of strings.
enum StringScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Marks the bytes that end a run of plain text: `"`, `\` and those below 0x20. The lowest mark
    /// is exact; marks above it may be wrong, because a borrow runs upwards.
    @inline(__always)
    static func specials(in word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- ones &* 0x20) & ~word
        return ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | control) & highs
    }

    /// The first byte from `start` on that a string holds only escaped; `nil` where there is none.
    @inline(__always)
    static func firstSpecial(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + 8 <= utf8.count {
            // The comparison above keeps the word within the bytes.
            let found = specials(
                in: UInt64(
                    littleEndian: UnsafeRawBufferPointer(utf8).loadUnaligned(
                        fromByteOffset: index, as: UInt64.self)))
            guard found == 0 else { return index + (found.trailingZeroBitCount >> 3) }
            index += 8
        }
        while index < utf8.count {
            if utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C { return index }
            index += 1
        }
        return nil
    }

    static func plain(ofEscape kind: UInt8) -> UInt8? {
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): kind
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    static func hexValue(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of eight hexadecimal digits, the first in the lowest byte; `nil` where one is
    /// none.
    @inline(__always)
    static func hexWord(_ digits: UInt64) -> UInt32? {
        guard digits & highs == 0 else { return nil }
        // No byte has its high bit, so that none carries into the next.
        func isAtLeast(_ bound: UInt64, _ word: UInt64) -> UInt64 {
            word &+ ones &* (0x80 - bound)
        }
        let lower = digits | ones &* 0x20
        let isDigit = isAtLeast(0x30, digits) & ~isAtLeast(0x3A, digits)
        let isLetter =
            isAtLeast(0x61, lower) & ~isAtLeast(0x67, lower) & isAtLeast(0x40, digits)
        guard (isDigit | isLetter) & highs == highs else { return nil }
        let nibbles = (digits & (ones &* 0x0F)) &+ ((digits >> 6) & ones) &* 9
        var packed = nibbles.byteSwapped
        packed = (packed | packed >> 4) & 0x00FF_00FF_00FF_00FF
        packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: packed | packed >> 16)
    }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
