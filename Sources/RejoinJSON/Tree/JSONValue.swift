/// A JSON value with its place in the text, for files that people write and tools must judge.
///
/// Equal where type and content are equal, wherever they stand: strings and keys by their UTF-8
/// bytes, numbers by their text, objects with their order.
public struct JSONValue: Sendable {
    /// What it is.
    public let kind: Kind
    /// Its first byte, counted from the start of the text.
    public let offset: Int

    /// Creates a value.
    public init(_ kind: Kind, offset: Int = 0) {
        self.kind = kind
        self.offset = offset
    }

    /// The kinds of value.
    public enum Kind: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    /// Its type.
    public var type: JSONType {
        switch kind {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The members of an object, in the order of the text, repeated keys included.
public struct JSONObject: Hashable, Sendable {
    /// The members.
    public let members: [Member]

    /// Creates an object.
    public init(_ members: [Member]) { self.members = members }

    /// The value of the first member whose key has these bytes.
    ///
    /// - Complexity: O(number of members).
    public subscript(key: String) -> JSONValue? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// One member.
    public struct Member: Sendable {
        /// The key, unescaped.
        public let key: String
        /// The key's quotation mark, counted from the start of the text.
        public let keyOffset: Int
        /// The value.
        public let value: JSONValue

        /// Creates a member.
        public init(_ key: String, _ value: JSONValue, keyOffset: Int = 0) {
            self.key = key
            self.keyOffset = keyOffset
            self.value = value
        }
    }
}

// `String` compares by canonical equivalence; JSON by code units (RFC 8259 section 8.3).

extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left.kind, right.kind) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch kind {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONObject.Member: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        for byte in key.utf8 { hasher.combine(byte) }
        hasher.combine(value)
    }
}
