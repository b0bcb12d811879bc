/// The types that a flag can be asked for.
public enum FlagKind: String, Hashable, Sendable, CaseIterable {
    case boolean, string, integer, double, object

    /// The value as this type; `nil` where it is of another, or would lose something.
    ///
    /// 10.0 is the integer 10 and 10 the double 10.0; 3.14 is no integer (flagd's decision on
    /// numeric coercion: lossless or an error).
    public func convert(_ value: FlagValue) -> FlagValue? {
        switch (self, value) {
        case (.boolean, .bool), (.string, .string), (.integer, .integer), (.double, .double),
            (.object, .object), (.object, .array):
            value
        case (.integer, .double(let double)):
            double.magnitude <= Self.largestExact
                ? Int64(exactly: double).map(FlagValue.integer) : nil
        case (.double, .integer(let whole)):
            Double(exactly: whole).map(FlagValue.double)
        case (.boolean, _), (.string, _), (.integer, _), (.double, _), (.object, _):
            nil
        }
    }

    /// 2^53 - 1: the largest whole number below which every whole number is a `Double`.
    static let largestExact: Double = 9_007_199_254_740_991
}

/// A Swift type that a flag can be asked for.
public protocol FlagType: Hashable, Sendable {
    /// The type in the flags file's terms.
    static var kind: FlagKind { get }
    /// The value as this type; `nil` where it is of another.
    init?(_ value: FlagValue)
    /// The value in the flags file's terms.
    var flagValue: FlagValue { get }
}

extension FlagType where Self: RawRepresentable, RawValue == String {
    /// What the code knows by name: an enumeration of texts, usually generated.
    public static var kind: FlagKind { .string }

    /// The case of this text; `nil` for a text that the code does not know, so that a newer file
    /// cannot bring the code into a state that it was not written for.
    public init?(_ value: FlagValue) {
        // `String` would match a text that only looks like a case's.
        guard case .string(let text) = value, let known = Self(rawValue: text),
            known.rawValue.hasSameBytes(as: text)
        else { return nil }
        self = known
    }

    public var flagValue: FlagValue { .string(rawValue) }
}

extension FlagValue {
    /// The type that a variant of this value is asked for as; `nil` for null.
    package var kind: FlagKind? {
        switch self {
        case .null: nil
        case .bool: .boolean
        case .string: .string
        case .integer: .integer
        case .double: .double
        case .array, .object: .object
        }
    }
}

extension Bool: FlagType {
    public static var kind: FlagKind { .boolean }
    public init?(_ value: FlagValue) {
        guard case .bool(let value) = value else { return nil }
        self = value
    }
    public var flagValue: FlagValue { .bool(self) }
}

extension String: FlagType {
    public static var kind: FlagKind { .string }
    public init?(_ value: FlagValue) {
        guard case .string(let value) = value else { return nil }
        self = value
    }
    public var flagValue: FlagValue { .string(self) }
}

extension Int: FlagType {
    public static var kind: FlagKind { .integer }
    public init?(_ value: FlagValue) {
        guard case .integer(let whole)? = FlagKind.integer.convert(value),
            let value = Int(exactly: whole)
        else { return nil }
        self = value
    }
    public var flagValue: FlagValue { .integer(Int64(self)) }
}

extension Double: FlagType {
    public static var kind: FlagKind { .double }
    public init?(_ value: FlagValue) {
        guard case .double(let value)? = FlagKind.double.convert(value) else { return nil }
        self = value
    }
    public var flagValue: FlagValue { .double(self) }
}

extension FlagObject: FlagType {
    public static var kind: FlagKind { .object }
    public init?(_ value: FlagValue) {
        guard case .object(let value) = value else { return nil }
        self = value
    }
    public var flagValue: FlagValue { .object(self) }
}
