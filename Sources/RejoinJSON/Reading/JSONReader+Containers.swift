extension JSONReader {
    // MARK: Arrays

    /// Opens an array; then call ``nextElement()`` until it returns `false`.
    public mutating func beginArray() throws(JSONError) {
        guard try firstByte() == UInt8(ascii: "[") else { throw wrongType(expected: .array) }
        try open()
    }

    /// Goes to the next element; `false` where the array ended and was closed.
    public mutating func nextElement() throws(JSONError) -> Bool {
        skipWhitespace()
        guard position < end else { throw unexpectedEnd() }
        if byte(position) == UInt8(ascii: "]") {
            close()
            return false
        }
        if !isAtStartOfContainer {
            guard byte(position) == UInt8(ascii: ",") else {
                throw error(.unexpectedByte, "a comma or ] was expected", at: position)
            }
            position += 1
            skipWhitespace()
            guard position < end else { throw unexpectedEnd() }
            guard byte(position) != UInt8(ascii: "]") else {
                throw error(.unexpectedByte, "remove the comma before ]", at: position)
            }
        }
        isAtStartOfContainer = false
        try countValue()
        return true
    }

    // MARK: Objects

    /// Opens an object; then call ``nextField(_:)`` until it returns `nil`.
    public mutating func beginObject() throws(JSONError) {
        guard try firstByte() == UInt8(ascii: "{") else { throw wrongType(expected: .object) }
        try open()
    }

    /// Goes to the value of the next member whose key is a case of `Field` and passes over the
    /// others; `nil` where the object ended and was closed.
    ///
    /// - Throws: ``JSONError`` of code `duplicate_key` where a known key stands twice. Unknown keys
    ///   are not compared with each other; ``JSONDocument`` does that.
    @inlinable
    public mutating func nextField<Field: JSONField>(
        _ fields: inout JSONFields<Field>
    ) throws(JSONError) -> Field? {
        let index = try nextIndex(in: fields.table.keys, &fields.progress)
        return index < 0 ? nil : fields.table.cases[index]
    }

    /// The index of the next known key, -1 at the end of the object.
    @usableFromInline
    mutating func nextIndex(
        in table: JSONKeyTable, _ progress: inout JSONFieldProgress
    ) throws(JSONError) -> Int {
        while let key = try nextKey() {
            let index = try index(of: key, in: table, hint: progress.hint)
            guard index >= 0 else {
                progress.hasUnknown = true
                try check(key)
                try skip()
                continue
            }
            guard progress.seen & (1 << UInt64(index)) == 0 else {
                throw error(
                    .duplicateKey, "the key stands twice in one object", at: key.start - 1)
            }
            progress.seen |= 1 << UInt64(index)
            progress.hint = index + 1
            return index
        }
        return -1
    }

    private mutating func index(
        of key: StringToken, in table: JSONKeyTable, hint: Int
    ) throws(JSONError) -> Int {
        guard key.hasEscapes else {
            return table.index(of: utf8(of: key), readable: end - key.start, hint: hint)
        }
        try unescape(key)
        // The pointer is used within the closure only.
        return scratch.withUnsafeBufferPointer {
            table.index(of: $0, readable: $0.count, hint: hint)
        }
    }

    /// Goes behind the colon of the next member and returns its key; `nil` where the object ended
    /// and was closed.
    mutating func nextKey() throws(JSONError) -> StringToken? {
        skipWhitespace()
        guard position < end else { throw unexpectedEnd() }
        if byte(position) == UInt8(ascii: "}") {
            close()
            return nil
        }
        if !isAtStartOfContainer {
            guard byte(position) == UInt8(ascii: ",") else {
                throw error(.unexpectedByte, "a comma or } was expected", at: position)
            }
            position += 1
            skipWhitespace()
            guard position < end else { throw unexpectedEnd() }
            guard byte(position) != UInt8(ascii: "}") else {
                throw error(.unexpectedByte, "remove the comma before }", at: position)
            }
        }
        isAtStartOfContainer = false
        try countValue()
        guard byte(position) == UInt8(ascii: "\"") else {
            throw error(.unexpectedByte, "a key in quotation marks was expected", at: position)
        }
        let key = try scanString()
        skipWhitespace()
        guard position < end else { throw unexpectedEnd() }
        guard byte(position) == UInt8(ascii: ":") else {
            throw error(.unexpectedByte, "a colon was expected after the key", at: position)
        }
        position += 1
        return key
    }

    // MARK: Bookkeeping

    private mutating func open() throws(JSONError) {
        guard depth < limits.maximumDepth else {
            throw error(
                .limitExceeded, "objects and arrays are nested deeper than \(limits.maximumDepth)",
                at: position)
        }
        depth += 1
        position += 1
        isAtStartOfContainer = true
    }

    private mutating func close() {
        valueStart = position
        depth -= 1
        position += 1
        isAtStartOfContainer = false
    }

    @inline(__always)
    private mutating func countValue() throws(JSONError) {
        valueCount += 1
        guard valueCount <= limits.maximumValues else {
            throw error(
                .limitExceeded, "there are more than \(limits.maximumValues) members and elements",
                at: position)
        }
    }
}
