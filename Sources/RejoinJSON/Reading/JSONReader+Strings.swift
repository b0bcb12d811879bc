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
            if token.isASCII { return String(decoding: utf8(of: token), as: UTF8.self) }
            guard let text = String(validating: utf8(of: token), as: UTF8.self) else {
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

    /// The bytes of a token; the pointer is for use within the call at hand, while the text lives.
    @inline(__always)
    func utf8(of token: StringToken) -> UnsafeBufferPointer<UInt8> {
        // The text is an array of bytes, so its memory is bound to them.
        UnsafeBufferPointer(
            start: base.assumingMemoryBound(to: UInt8.self) + token.start, count: token.count)
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
            guard UTF8Check.firstInvalid(in: utf8(of: token)) == nil else {
                throw invalidUTF8(in: token)
            }
        }
    }

    private func invalidUTF8(in token: StringToken) -> JSONError {
        let place = UTF8Check.firstInvalid(in: utf8(of: token)) ?? 0
        return error(
            .invalidUTF8, "the string is not UTF-8; convert the text", at: token.start + place)
    }

    /// Decodes the escapes of a token into ``scratch`` (RFC 8259 section 7).
    mutating func unescape(_ token: StringToken) throws(JSONError) {
        scratch.removeAll(keepingCapacity: true)
        let utf8 = utf8(of: token)
        var index = token.start
        var copied = token.start
        while index < token.end {
            guard byte(index) == 0x5C else {
                index += 1
                continue
            }
            scratch.append(
                contentsOf: UnsafeBufferPointer(
                    rebasing: utf8[copied - token.start..<index - token.start]))
            // `scanString` saw the byte after the backslash inside the string.
            let kind = byte(index + 1)
            guard kind != UInt8(ascii: "u") else {
                index = try unescapeScalar(at: index, end: token.end)
                copied = index
                continue
            }
            guard let plain = StringScan.plain(ofEscape: kind) else {
                throw error(.invalidString, "the escape is unknown", at: index + 1)
            }
            scratch.append(plain)
            index += 2
            copied = index
        }
        scratch.append(
            contentsOf: UnsafeBufferPointer(rebasing: utf8[(copied - token.start)...]))
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
