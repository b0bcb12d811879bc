extension JSONReader {
    /// Takes a string that is a UUID in its text form (RFC 9562 section 4: 8-4-4-4-12 hexadecimal
    /// digits, in any case) as its 128 bits, most significant first; `nil`, with nothing taken,
    /// where the next value is anything else.
    ///
    /// Spares the string and Foundation's parser, which together cost more than the rest of a
    /// message.
    package mutating func takeQuotedUUID() throws(JSONError) -> UInt128? {
        guard try firstByte() == UInt8(ascii: "\""), position + 38 <= end,
            byte(position + 37) == UInt8(ascii: "\""), isHyphen(9), isHyphen(14), isHyphen(19),
            isHyphen(24),
            let first = StringScan.hexWord(eight(1)),
            let second = StringScan.hexWord(four(10) | four(15) << 32),
            let third = StringScan.hexWord(four(20) | four(25) << 32),
            let fourth = StringScan.hexWord(eight(29))
        else { return nil }
        position += 38
        let high = UInt64(first) << 32 | UInt64(second)
        let low = UInt64(third) << 32 | UInt64(fourth)
        return UInt128(high) << 64 | UInt128(low)
    }

    // The distances are those of a UUID, whose 38 bytes are compared with `end` above.

    private func isHyphen(_ distance: Int) -> Bool {
        byte(position + distance) == UInt8(ascii: "-")
    }

    private func four(_ distance: Int) -> UInt64 {
        UInt64(
            UInt32(
                littleEndian: base.loadUnaligned(
                    fromByteOffset: position + distance, as: UInt32.self)))
    }

    private func eight(_ distance: Int) -> UInt64 {
        UInt64(
            littleEndian: base.loadUnaligned(fromByteOffset: position + distance, as: UInt64.self))
    }
}
