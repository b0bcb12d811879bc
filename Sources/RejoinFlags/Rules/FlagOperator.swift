/// The operators of a targeting rule: those of flagd's schema (`targeting.json`) and no others.
/// `fractional` and `var` have nodes of their own in ``FlagRule``.
package enum FlagOperator: String, Hashable, Sendable, CaseIterable {
    case missing
    case missingSome = "missing_some"
    case `if`, or, and
    case looselyEqual = "=="
    case looselyUnequal = "!="
    case strictlyEqual = "==="
    case strictlyUnequal = "!=="
    case not = "!"
    case truth = "!!"
    case greater = ">"
    case greaterOrEqual = ">="
    case less = "<"
    case lessOrEqual = "<="
    case maximum = "max"
    case minimum = "min"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case map, reduce, filter, all, none, some
    case merge
    case contains = "in"
    case concatenate = "cat"
    case substring = "substr"
    case startsWith = "starts_with"
    case endsWith = "ends_with"
    case semanticVersion = "sem_ver"
}
