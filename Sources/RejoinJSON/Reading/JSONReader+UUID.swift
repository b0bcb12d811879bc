extension JSONReader {
    /// Takes a string that is a UUID in its text form (RFC 9562 section 4: 8-4-4-4-12 hexadecimal
    /// digits, in any case) as its 128 bits, most significant first; `nil`, with nothing taken,
    /// where the next value is anything else.
    ///
    /// Spares the string and Foundation's parser, which together cost more than the rest of a
    /// message.
    package mutating func takeQuotedUUID() throws(JSONError) -> UInt128? {
        guard try firstByte() == UInt8(ascii: "\""), position + 38 <= end,
            byte(position + 37) == UInt8(ascii: "\"")
        else { return nil }
        var bits: UInt128 = 0
        for index in position + 1..<position + 37 {
            switch index - position {
            case 9, 14, 19, 24:
                guard byte(index) == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = StringScan.hexValue(of: byte(index)) else { return nil }
                bits = bits << 4 | UInt128(digit)
            }
        }
        position += 38
        return bits
    }
}
