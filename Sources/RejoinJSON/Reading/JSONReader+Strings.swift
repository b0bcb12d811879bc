/// The contents of a string in the text, between its quotation marks.
struct StringToken {
    let start: Int
    let end: Int
    let hasEscapes: Bool
    let isASCII: Bool

    var count: Int { end - start }
}

extension JSONReader {
    /// Takes a string.
    ///
    /// - Complexity: O(length of the string).
    public mutating func string() throws(JSONError) -> String {
        guard try firstByte() == UInt8(ascii: "\"") else { throw wrongType(expected: .string) }
        return try text(of: scanString())
    }

    /// The text that a token means.
    mutating func text(of token: StringToken) throws(JSONError) -> String {
        guard token.hasEscapes else {
            // The pointer is used within the call only.
            let utf8 = UnsafeRawBufferPointer(start: base + token.start, count: token.count)
            if token.isASCII { return String(decoding: utf8, as: UTF8.self) }
            guard let text = String(validating: utf8, as: UTF8.self) else {
                throw invalidUTF8(in: token)
            }
            return text
        }
        try unescape(token)
        guard let text = String(validating: scratch, as: UTF8.self) else {
            throw invalidUTF8(in: token)
        }
        return text
    }

    /// Finds the end of the string whose quotation mark stands at ``position``, and goes behind it.
    ///
    /// Eight bytes at a time: only the quotation mark, the backslash and control characters matter,
    /// and none of them is part of a longer UTF-8 sequence.
    mutating func scanString() throws(JSONError) -> StringToken {
        valueStart = position
        let start = position + 1
        var index = start
        var hasEscapes = false
        var seen: UInt64 = 0
        while true {
            var special: UInt8?
            while index + 8 <= end {
                let word = UInt64(
                    littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let found = StringScan.specials(in: word)
                if found != 0 {
                    let skipped = found.trailingZeroBitCount >> 3
                    seen |= word & ((1 << UInt64(skipped << 3)) &- 1)
                    index += skipped
                    special = byte(index)
                    break
                }
                seen |= word
                index += 8
            }
            while special == nil {
                guard index < end else {
                    throw error(.unexpectedEnd, "the text ends inside a string", at: end)
                }
                let next = byte(index)
                if next == 0x22 || next == 0x5C || next < 0x20 {
                    special = next
                } else {
                    seen |= UInt64(next)
                    index += 1
                    if index + 8 <= end { break }
                }
            }
            switch special {
            case nil:
                continue
            case 0x22:
                guard index - start <= limits.maximumStringBytes else {
                    throw error(
                        .limitExceeded,
                        "a string is longer than \(limits.maximumStringBytes) bytes", at: start - 1)
                }
                position = index + 1
                return StringToken(
                    start: start, end: index, hasEscapes: hasEscapes,
                    isASCII: seen & 0x8080_8080_8080_8080 == 0)
            case 0x5C:
                hasEscapes = true
                guard index + 1 < end else {
                    throw error(.unexpectedEnd, "the text ends inside a string", at: end)
                }
                // What follows is looked at again when the escape is decoded; here it only must
                // not be taken for the end of the string.
                guard byte(index + 1) >= 0x20, byte(index + 1) < 0x80 else {
                    throw error(.invalidString, "the escape is unknown", at: index + 1)
                }
                index += 2
            default:
                throw error(
                    .invalidString, "write the control character as an escape", at: index)
            }
        }
    }

    /// Checks a string that nobody wants to have.
    mutating func check(_ token: StringToken) throws(JSONError) {
        if token.hasEscapes { try unescape(token) }
        if !token.isASCII {
            let utf8 = UnsafeRawBufferPointer(start: base + token.start, count: token.count)
            guard UTF8Check.firstInvalid(in: utf8) == nil else { throw invalidUTF8(in: token) }
        }
    }

    private func invalidUTF8(in token: StringToken) -> JSONError {
        let utf8 = UnsafeRawBufferPointer(start: base + token.start, count: token.count)
        let place = UTF8Check.firstInvalid(in: utf8) ?? 0
        return error(
            .invalidUTF8, "the string is not UTF-8; convert the text", at: token.start + place)
    }

    /// Decodes the escapes of a token into ``scratch`` (RFC 8259 section 7).
    mutating func unescape(_ token: StringToken) throws(JSONError) {
        scratch.removeAll(keepingCapacity: true)
        var index = token.start
        while index < token.end {
            let next = byte(index)
            guard next == 0x5C else {
                scratch.append(next)
                index += 1
                continue
            }
            // `scanString` saw the byte after the backslash inside the string.
            let kind = byte(index + 1)
            guard kind != UInt8(ascii: "u") else {
                index = try unescapeScalar(at: index, end: token.end)
                continue
            }
            guard let plain = StringScan.plain(ofEscape: kind) else {
                throw error(.invalidString, "the escape is unknown", at: index + 1)
            }
            scratch.append(plain)
            index += 2
        }
    }

    /// Decodes `\uXXXX`, or two of them that make a pair, and returns the offset behind it.
    private mutating func unescapeScalar(at start: Int, end: Int) throws(JSONError) -> Int {
        let high = try codeUnit(at: start, end: end)
        var value = UInt32(high)
        var next = start + 6
        if UTF16.isLeadSurrogate(high) {
            guard next + 1 < end, byte(next) == 0x5C, byte(next + 1) == UInt8(ascii: "u") else {
                throw error(.loneSurrogate, "the second half of the pair is missing", at: start)
            }
            let low = try codeUnit(at: next, end: end)
            guard UTF16.isTrailSurrogate(low) else {
                throw error(.loneSurrogate, "the second half of the pair is missing", at: start)
            }
            value = 0x10000 + (UInt32(high) & 0x3FF) << 10 + UInt32(low) & 0x3FF
            next += 6
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error(.loneSurrogate, "the first half of the pair is missing", at: start)
        }
        scratch.append(contentsOf: scalar.utf8)
        return next
    }

    private func codeUnit(at start: Int, end: Int) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard index < end, let digit = StringScan.hexValue(of: byte(index)) else {
                throw error(
                    .invalidString, "\\u needs four hexadecimal digits", at: min(index, end))
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

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
}
