/// A number as it stands in the text, so that nothing is lost before somebody says which type they
/// want. Compared by its text: `1.0` is not `1`.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number as it stands in the text.
    public let text: String

    /// Takes over a text that the reader has found to be a number.
    init(checked text: String) { self.text = text }

    /// A whole number.
    public init(_ value: some FixedWidthInteger) { text = String(value) }

    /// A finite number, written with the fewest digits that read back as the same value; `nil` for
    /// infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    public var description: String { text }

    /// Whether it is written as a whole number, without point and exponent.
    ///
    /// - Complexity: O(length).
    public var isInteger: Bool {
        text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
    }

    /// The value where it is written as a whole number and fits; `nil` otherwise, also for `1.0`
    /// and `1e2`.
    ///
    /// - Complexity: O(length).
    public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self)
        -> Integer?
    {
        guard isInteger else { return nil }
        return Integer(text)
    }

    /// The nearest `Double`; `nil` where the number is too large for one.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The `Double` that writes back as the same number; `nil` where digits would be lost.
    ///
    /// - Complexity: O(length).
    public var exactDouble: Double? {
        guard let value = double, Decimal(text) == Decimal(value.description) else { return nil }
        return value
    }

    /// A decimal number in a form in which equal values are equal.
    private struct Decimal: Equatable {
        let digits: [UInt8]
        let exponent: Int

        init(_ text: String) {
            var digits: [UInt8] = []
            var exponent = 0
            let parts = text.utf8.split(
                maxSplits: 1, whereSeparator: { $0 | 0x20 == UInt8(ascii: "e") })
            var isFraction = false
            for byte in parts[0] {
                switch byte {
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "-"): break
                default:
                    digits.append(byte)
                    if isFraction { exponent -= 1 }
                }
            }
            if parts.count == 2, let written = Int(String(parts[1]) ?? "") {
                exponent = exponent.addingReportingOverflow(written).partialValue
            }
            let significant = digits.drop { $0 == UInt8(ascii: "0") }
            let trailing = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
            self.digits = Array(significant.dropLast(trailing))
            self.exponent = self.digits.isEmpty ? 0 : exponent &+ trailing
        }
    }
}
