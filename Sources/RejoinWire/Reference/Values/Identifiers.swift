import Foundation
public import RejoinJSON
public import RejoinModel
public import RejoinTime

extension WireFormat {
    public func text(of id: MessageID) -> String { String(id.rawValue) }

    /// Decimal digits without sign and leading zeros, so that each ID has one text.
    public func messageID(_ text: String) -> MessageID? {
        guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0"),
            let value = UInt128(text)
        else { return nil }
        return MessageID(value)
    }

    public func readMessageID(_ reader: inout JSONReader) throws(JSONError) -> MessageID {
        let isString = try reader.peek() == .string
        let text = isString ? try reader.string() : try reader.number().text
        guard let id = messageID(text) else {
            throw reader.failure(.invalidValue, "this is not a message ID of the format")
        }
        return id
    }

    public func write(_ id: MessageID, to writer: inout JSONWriter) {
        writer.string(text(of: id))
    }
}

extension ReferenceFormat {
    /// The same as the default, without a string in between.
    public func readMessageID(_ reader: inout JSONReader) throws(JSONError) -> MessageID {
        if let digits = try reader.takeQuotedDigits() { return MessageID(digits) }
        guard try reader.peek() == .number else {
            throw reader.failure(
                .invalidValue, "a message ID, in decimal without leading zeros, was expected")
        }
        return MessageID(try reader.integer())
    }

    /// The same as the default, without a string in between.
    public func write(_ id: MessageID, to writer: inout JSONWriter) {
        writer.quotedInteger(id.rawValue)
    }
}

// MARK: For encoders

extension JSONWriter {
    /// Writes a client's message ID as the text of a UUID, in lower case.
    public mutating func clientMessageID(_ id: ClientMessageID) {
        quotedUUID(
            withUnsafeBytes(of: id.rawValue.uuid) { $0.loadUnaligned(as: UInt128.self).bigEndian })
    }

    /// Writes a member; nothing where the value is `nil`.
    public mutating func member(_ name: String, _ id: ClientMessageID?) {
        guard let id else { return }
        key(name)
        clientMessageID(id)
    }
}

// MARK: For decoders

extension JSONReader {
    /// Takes a client's message ID: a UUID in its text form (RFC 9562 section 4), in any case.
    public mutating func clientMessageID() throws(JSONError) -> ClientMessageID {
        if let bits = try takeQuotedUUID() {
            return ClientMessageID(
                withUnsafeBytes(of: bits.bigEndian) {
                    UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
                })
        }
        throw failure(.invalidValue, "a UUID was expected")
    }

    /// Takes a time in whole milliseconds since 1970.
    public mutating func wallTime() throws(JSONError) -> WallTime {
        WallTime(milliseconds: try integer())
    }

    /// Takes a room's ID.
    public mutating func roomID() throws(JSONError) -> RoomID { RoomID(try string()) }

    /// Takes a person's ID.
    public mutating func userID() throws(JSONError) -> UserID { UserID(try string()) }

    /// Takes a revision.
    public mutating func revision() throws(JSONError) -> Revision { Revision(try integer()) }

    /// Takes a value, or `nil` for `null`.
    public mutating func optional<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value? {
        try takeNull() ? nil : try read(&self)
    }

    /// Takes an array whose elements `read` takes.
    ///
    /// - Complexity: O(length of the array's text).
    public mutating func array<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> [Value] {
        var values: [Value] = []
        try beginArray()
        while try nextElement() { values.append(try read(&self)) }
        return values
    }
}
