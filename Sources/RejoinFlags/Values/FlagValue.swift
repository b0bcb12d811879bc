/// A value of a flags file, of a context or of a rule.
///
/// An enum rather than `Any`: on Linux Foundation hands out JSON `true` as something that casts to
/// 1, and 1 as something that casts to `true`.
public enum FlagValue: Sendable {
    /// Nothing; also what a missing attribute is.
    case null
    /// A boolean, which is no number.
    case bool(Bool)
    /// A number written without point and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// A text, compared by its UTF-8 bytes.
    case string(String)
    /// An array.
    case array([FlagValue])
    /// An object.
    case object(FlagObject)
}

extension FlagValue: Hashable {
    /// Whether type and content are the same; texts by their bytes, 1 is not 1.0.
    ///
    /// - Complexity: O(size of the value).
    public static func == (left: FlagValue, right: FlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.integer, _), (.double, _), (.string, _), (.array, _),
            (.object, _):
            false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ByteKey(value))
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension FlagValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
    // No `nil`: it would make `condition ? value : nil` a null where no value is meant.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

/// The members of an object, in their order.
public struct FlagObject: Sendable {
    /// The members.
    public private(set) var members: [Member]

    /// Creates an object.
    public init(_ members: [Member] = []) { self.members = members }

    /// The value of the member whose key has these bytes.
    ///
    /// - Complexity: O(number of members); contexts and metadata are small.
    public subscript(key: String) -> FlagValue? {
        get { index(of: key).map { members[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index] = Member(key, value)
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key, value))
            case (nil, nil): break
            }
        }
    }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    /// One member.
    public struct Member: Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: FlagValue

        /// Creates a member.
        public init(_ key: String, _ value: FlagValue) {
            self.key = key
            self.value = value
        }
    }
}

extension FlagObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self.init(elements.map { Member($0, $1) })
    }
}

extension FlagObject: Hashable {
    /// Whether both have the same members, in whatever order.
    ///
    /// - Complexity: O(number of members) where they stand in the same order, else O(its square).
    public static func == (left: FlagObject, right: FlagObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        let members = zip(left.members, right.members)
        // An object in which a key stands twice is still the same as itself.
        if members.allSatisfy({ $0.key.hasSameBytes(as: $1.key) }) {
            return members.allSatisfy { $0.value == $1.value }
        }
        return left.members.allSatisfy { right[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        // Order does not count, so neither may it in the hash.
        var sum = 0
        for member in members { sum &+= ByteKey(member.key).hashValue }
        hasher.combine(sum)
    }
}
