import Foundation

// How JsonLogic takes one type for another. It comes from JavaScript; where JavaScript and flagd's
// Python evaluator differ, Python's answer holds, because that evaluator is what the vectors were
// made with, but for one thing: a boolean is never mistaken for a number (Python's `True` is the
// integer 1, so that it finds `true` in `[1]` and writes it as "True").

/// A number in a rule: whole as long as it can be.
enum LogicNumber {
    case integer(Int64)
    case double(Double)

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        }
    }

    var value: FlagValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        }
    }

    static func < (left: LogicNumber, right: LogicNumber) -> Bool {
        if case .integer(let left) = left, case .integer(let right) = right { return left < right }
        return left.double < right.double
    }

    static func == (left: LogicNumber, right: LogicNumber) -> Bool {
        if case .integer(let left) = left, case .integer(let right) = right { return left == right }
        return left.double == right.double
    }

    /// Whole where both are and the result fits.
    func combined(
        with other: LogicNumber, _ whole: (Int64) -> (Int64) -> (Int64, Bool),
        _ real: (Double, Double) -> Double
    ) -> LogicNumber {
        if case .integer(let left) = self, case .integer(let right) = other {
            let (result, overflow) = whole(left)(right)
            if !overflow { return .integer(result) }
        }
        return .double(real(double, other.double))
    }
}

extension FlagValue {
    /// Whether it counts as true: all but null, `false`, 0, NaN, `""` and `[]`.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .integer(let value): value != 0
        case .double(let value): value != 0 && !value.isNaN
        case .string(let value): !value.isEmpty
        case .array(let values): !values.isEmpty
        case .object: true
        }
    }

    /// The number that it is taken for; NaN where for none.
    var number: LogicNumber {
        switch self {
        case .null: .integer(0)
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .string(let value): .double(Self.number(in: value))
        case .array(let values):
            switch values.count {
            case 0: .integer(0)
            case 1: values[0].number
            default: .double(.nan)
            }
        case .object: .double(.nan)
        }
    }

    private static func number(in text: String) -> Double {
        let trimmed = text.drop { $0.isWhitespace }
        let end = trimmed.lastIndex { !$0.isWhitespace }
        guard let end else { return .nan }
        let body = trimmed[...end].utf8
        // Hexadecimal digits and the names of other systems are not numbers here.
        let isPlain = body.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        if isPlain { return Double(String(body) ?? "") ?? .nan }
        switch String(body)?.lowercased() {
        case "infinity", "+infinity": return .infinity
        case "-infinity": return -.infinity
        default: return .nan
        }
    }

    /// The text that it is taken for.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .double(let value):
            // Fifteen digits: 0.1 + 0.2 is "0.3", and 3.0 is "3".
            value.isNaN ? "nan" : String(format: "%.15g", value)
        case .string(let value): value
        case .array(let values): values.map(\.text).joined(separator: ",")
        case .object: "[object Object]"
        }
    }

    /// Whether it is a number, or a boolean, which compares like one.
    private var isNumeric: Bool {
        switch self {
        case .bool, .integer, .double: true
        case .null, .string, .array, .object: false
        }
    }

    /// `==`.
    func isLooselyEqual(to other: FlagValue) -> Bool {
        if isNumeric || other.isNumeric { return number == other.number }
        switch (self, other) {
        case (.null, .null): return true
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.string(let left), .array), (.string(let left), .object):
            return left.hasSameBytes(as: other.text)
        case (.array, .string(let right)), (.object, .string(let right)):
            return text.hasSameBytes(as: right)
        case (.null, _), (.string, _), (.array, _), (.object, _), (.bool, _), (.integer, _),
            (.double, _):
            // Two arrays or objects are never the same one: values have no identity.
            return false
        }
    }

    /// `===`, and membership in an array.
    func isStrictlyEqual(to other: FlagValue) -> Bool {
        switch (self, other) {
        case (.integer, .double), (.double, .integer): number == other.number
        case (.array(let left), .array(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { $0.isStrictlyEqual(to: $1) }
        case (.object(let left), .object(let right)):
            left.members.count == right.members.count
                && left.members.allSatisfy { member in
                    right[member.key].map { member.value.isStrictlyEqual(to: $0) } ?? false
                }
        case (.null, _), (.bool, _), (.integer, _), (.double, _), (.string, _), (.array, _),
            (.object, _):
            self == other
        }
    }

    /// `<`, and `<=` where `orEqual`.
    func isLess(than other: FlagValue, orEqual: Bool) -> Bool {
        if !isNumeric, !other.isNumeric {
            switch (self, other) {
            case (.string, _), (_, .string):
                let (left, right) = (text, other.text)
                return left.precedesByBytes(right) || orEqual && left.hasSameBytes(as: right)
            default: break
            }
        }
        let (left, right) = (number, other.number)
        return left < right || orEqual && left == right
    }
}
