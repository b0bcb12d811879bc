extension JSONReader {
    /// Takes a number as the text that it is.
    public mutating func number() throws(JSONError) -> JSONNumber {
        try expectNumber()
        let start = position
        try scanNumber()
        // The pointer is used within the call; `scanNumber` has seen ASCII only.
        return JSONNumber(
            checked: String(
                decoding: UnsafeRawBufferPointer(start: base + start, count: position - start),
                as: UTF8.self))
    }

    /// Takes a whole number that fits `Integer`.
    ///
    /// - Throws: ``JSONError`` of code `wrong_type` for a fraction or an exponent, also where its
    ///   value is whole, and `out_of_range` where it does not fit. Nothing is rounded.
    @inlinable
    public mutating func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(JSONError) -> Integer {
        let (magnitude, isNegative) = try wholeNumber()
        if !isNegative, let value = Integer(exactly: magnitude) { return value }
        if isNegative, magnitude <= UInt128(Int128.max),
            let value = Integer(exactly: -Int128(magnitude))
        {
            return value
        }
        throw failure(.outOfRange, "the number must be from \(Integer.min) to \(Integer.max)")
    }

    /// Takes a number as the nearest `Double`.
    ///
    /// - Throws: ``JSONError`` of code `out_of_range` where it is too large for one.
    public mutating func double() throws(JSONError) -> Double {
        let number = try number()
        guard let value = number.double else {
            throw failure(.outOfRange, "the number is too large to be read")
        }
        return value
    }

    /// Takes a string of decimal digits, without a sign or leading zeros, as a number; `nil`, with
    /// nothing taken, where the next value is anything else.
    ///
    /// Identifiers above 2^53 travel as strings, because many readers would round them. This spares
    /// the string.
    public mutating func takeQuotedDigits() throws(JSONError) -> UInt128? {
        guard try firstByte() == UInt8(ascii: "\"") else { return nil }
        let start = position
        position += 1
        guard position < end, isDigit(byte(position)),
            let magnitude = takeDigits(), position < end, byte(position) == UInt8(ascii: "\"")
        else {
            position = start
            return nil
        }
        position += 1
        return magnitude
    }

    @usableFromInline
    mutating func wholeNumber() throws(JSONError) -> (magnitude: UInt128, isNegative: Bool) {
        try expectNumber()
        let isNegative = byte(position) == UInt8(ascii: "-")
        if isNegative { position += 1 }
        guard position < end else { throw unexpectedEnd() }
        guard isDigit(byte(position)) else {
            throw error(.invalidNumber, "a digit was expected after the sign", at: position)
        }
        let digits = position
        guard let magnitude = takeDigits() else {
            if byte(digits) == UInt8(ascii: "0") {
                throw error(.invalidNumber, "remove the leading zero", at: digits)
            }
            throw failure(.outOfRange, "the number has too many digits")
        }
        if position < end {
            switch byte(position) {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                throw failure(.wrongType, "a whole number was expected, without . or exponent")
            default: break
            }
        }
        return (magnitude, isNegative)
    }

    /// Takes the digits at ``position``; `nil` for a leading zero and above 128 bits.
    private mutating func takeDigits() -> UInt128? {
        let start = position
        // Nineteen digits always fit 64 bits, where arithmetic is fast.
        var low: UInt64 = 0
        let fastEnd = min(end, start + 19)
        while position < fastEnd, isDigit(byte(position)) {
            low = low &* 10 &+ UInt64(byte(position) &- 0x30)
            position += 1
        }
        guard byte(start) != 0x30 || position == start + 1 else { return nil }
        guard position < end, isDigit(byte(position)) else { return UInt128(low) }
        var magnitude = UInt128(low)
        while position < end, isDigit(byte(position)) {
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt128(byte(position) &- 0x30))
            guard !overflows, !carries else { return nil }
            magnitude = sum
            position += 1
        }
        return magnitude
    }

    /// Passes over a number of the grammar (RFC 8259 section 6).
    mutating func scanNumber() throws(JSONError) {
        if byte(position) == UInt8(ascii: "-") { position += 1 }
        guard position < end else { throw unexpectedEnd() }
        if byte(position) == UInt8(ascii: "0") {
            position += 1
            guard position == end || !isDigit(byte(position)) else {
                throw error(.invalidNumber, "remove the leading zero", at: position - 1)
            }
        } else {
            try scanDigits()
        }
        if position < end, byte(position) == UInt8(ascii: ".") {
            position += 1
            try scanDigits()
        }
        if position < end, byte(position) | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < end, byte(position) == 0x2B || byte(position) == 0x2D { position += 1 }
            try scanDigits()
        }
        guard position - valueStart <= limits.maximumStringBytes else {
            throw failure(
                .limitExceeded, "a number is longer than \(limits.maximumStringBytes) bytes")
        }
    }

    private mutating func scanDigits() throws(JSONError) {
        guard position < end else { throw unexpectedEnd() }
        guard isDigit(byte(position)) else {
            throw error(.invalidNumber, "a digit was expected", at: position)
        }
        while position < end, isDigit(byte(position)) { position += 1 }
    }

    private mutating func expectNumber() throws(JSONError) {
        let first = try firstByte()
        guard isDigit(first) || first == UInt8(ascii: "-") else {
            throw wrongType(expected: .number)
        }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
