extension RuleEvaluator {
    /// The first of the numbers that none other beats; NaN where there are none.
    func extreme(_ values: [FlagValue], beats: (LogicNumber, LogicNumber) -> Bool) -> FlagValue {
        guard var best = values.first?.number else { return .double(.nan) }
        for value in values.dropFirst() {
            let number = value.number
            if beats(number, best) { best = number }
        }
        return best.value
    }

    /// `+` and `*` of any number of operands, `-`, `/` and `%` of two, and `-` of one.
    static func arithmetic(_ name: FlagOperator, _ values: [FlagValue]) throws(Failure)
        -> FlagValue
    {
        let left = values.first?.number ?? .integer(0)
        let isUnary = values.count < 2 || values[1] == .null
        let right = values.count > 1 ? values[1].number : .integer(0)
        switch name {
        case .multiply:
            return values.reduce(LogicNumber.integer(1)) { product, value in
                product.combined(with: value.number, Int64.multipliedReportingOverflow, *)
            }.value
        case .subtract:
            guard isUnary else {
                return left.combined(with: right, Int64.subtractingReportingOverflow, -).value
            }
            // Not 0 minus it: the negative of 0.0 is -0.0.
            return left.combined(with: .integer(-1), Int64.multipliedReportingOverflow, *).value
        case .divide:
            return .double(left.double / (try divisor(right)))
        case .remainder:
            // The remainder has the divisor's sign, as in the evaluator of the vectors.
            let divisor = try divisor(right)
            if case .integer(let left) = left, case .integer(let right) = right {
                let remainder = left.remainderReportingOverflow(dividingBy: right).partialValue
                return .integer(
                    remainder != 0 && (remainder < 0) != (right < 0)
                        ? remainder + right : remainder)
            }
            let remainder = left.double.truncatingRemainder(dividingBy: divisor)
            guard remainder != 0 else { return .double(divisor < 0 ? -0.0 : 0.0) }
            let isOpposite = (remainder < 0) != (divisor < 0)
            return .double(isOpposite ? remainder + divisor : remainder)
        default:
            return values.reduce(LogicNumber.integer(0)) { sum, value in
                sum.combined(with: value.number, Int64.addingReportingOverflow, +)
            }.value
        }
    }

    private static func divisor(_ number: LogicNumber) throws(Failure) -> Double {
        let divisor = number.double
        guard divisor != 0 else {
            throw Failure(
                code: .general,
                message: "the targeting divides by 0; guard the division with an 'if'")
        }
        return divisor
    }
}
