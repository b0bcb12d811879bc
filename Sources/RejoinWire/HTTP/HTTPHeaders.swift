/// Header fields in order, repeats kept, found without regard to case (RFC 9110 section 5.1).
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The fields as they stand on the wire.
    public private(set) var fields: [Field]

    /// Creates fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// The value of the first field of this name. Setting replaces all of them by one; setting
    /// `nil` removes them.
    ///
    /// - Complexity: O(number of fields).
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value }
        set {
            let index = fields.firstIndex { $0.name.isEqualIgnoringASCIICase(to: name) }
            fields.removeAll { $0.name.isEqualIgnoringASCIICase(to: name) }
            guard let newValue else { return }
            fields.insert(Field(name, newValue), at: index ?? fields.endIndex)
        }
    }

    /// Adds a field after the others, repeats included.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension String {
    /// Whether both have the same letters, `A` to `Z` taken as `a` to `z` and nothing else folded.
    func isEqualIgnoringASCIICase(to other: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
        return utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
    }
}
