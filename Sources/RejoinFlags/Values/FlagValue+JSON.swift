public import RejoinJSON

extension FlagValue {
    /// Takes over a JSON value. Whole numbers that fit 64 bits stay whole; other numbers become the
    /// nearest `Double`.
    ///
    /// - Returns: `nil` where a number is too large for a `Double`.
    /// - Complexity: O(size of the value).
    public init?(_ json: JSONValue) {
        switch json.kind {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .number(let number):
            if let whole = number.integer(Int64.self) {
                self = .integer(whole)
            } else if let double = number.double {
                self = .double(double)
            } else {
                return nil
            }
        case .array(let items):
            var values: [FlagValue] = []
            values.reserveCapacity(items.count)
            for item in items {
                guard let value = FlagValue(item) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .object(let object):
            guard let object = FlagObject(object) else { return nil }
            self = .object(object)
        }
    }
}

extension FlagObject {
    /// Takes over a JSON object; `nil` where it holds a number too large for a `Double`.
    ///
    /// - Complexity: O(size of the object).
    public init?(_ json: JSONObject) {
        var members: [Member] = []
        members.reserveCapacity(json.members.count)
        for member in json.members {
            guard let value = FlagValue(member.value) else { return nil }
            members.append(Member(member.key, value))
        }
        self.init(members)
    }
}

extension JSONWriter {
    /// Writes a value; numbers that JSON does not have (infinities, NaN) as `null`.
    ///
    /// - Complexity: O(size of the value).
    public mutating func value(_ value: FlagValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .double(let value):
            if let number = JSONNumber(value) { self.number(number) } else { null() }
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }
}

extension FlagValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
