extension RuleEvaluator {
    /// `starts_with`, `ends_with` and `in`.
    mutating func search(_ name: FlagOperator, _ rules: [FlagRule], _ scope: FlagScope)
        throws(Failure) -> FlagValue
    {
        let (first, second, _) = try three(rules, scope)
        let size = try look(at: first)
        guard name == .contains else {
            try look(at: second)
            // Anything but two texts is null, not false: the flag falls to its default variant.
            guard rules.count == 2, case .string(let text) = first, case .string(let part) = second
            else { return .null }
            let bytes = text.utf8
            return .bool(
                name == .startsWith
                    ? bytes.starts(with: part.utf8)
                    : bytes.count >= part.utf8.count
                        && bytes.suffix(part.utf8.count).elementsEqual(part.utf8))
        }
        switch second {
        case .array(let items):
            try spend(items.count * size)
            return .bool(items.contains { first.isStrictlyEqual(to: $0) })
        case .string(let text):
            try look(at: second)
            return .bool(try contains(text, first.text))
        case .null, .bool, .integer, .double, .object: return .bool(false)
        }
    }

    /// Whether a text holds another, byte by byte.
    ///
    /// - Complexity: O(product of the lengths) at worst, which counts as work.
    private mutating func contains(_ text: String, _ part: String) throws(Failure) -> Bool {
        let (text, part) = (ContiguousArray(text.utf8), ContiguousArray(part.utf8))
        guard part.count <= text.count else { return false }
        for start in 0...text.count - part.count {
            var alike = 0
            while alike < part.count, text[start + alike] == part[alike] { alike += 1 }
            if alike == part.count { return true }
            try spend(alike)
        }
        return false
    }

    /// `substr`, in Unicode scalars: a negative start counts from the end, a negative length leaves
    /// out so many at the end.
    static func substring(_ values: [FlagValue]) -> String {
        let scalars = ContiguousArray((values.first ?? .null).text.unicodeScalars)
        let count = scalars.count
        let wanted = values.count > 1 ? whole(values[1].number) ?? 0 : 0
        var start = min(wanted, count)
        if wanted < 0 { start = wanted <= -count ? 0 : count + wanted }
        var end = count
        if values.count > 2, values[2] != .null {
            switch whole(values[2].number) {
            case nil: end = start
            case .some(let length) where length < 0: end = max(start, count + max(length, -count))
            case .some(let length): end = length > count - start ? count : start + length
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<end])
        return String(text)
    }

    /// The number without its fraction, clamped to what fits; `nil` for NaN.
    private static func whole(_ number: LogicNumber) -> Int? {
        let double = number.double
        return double.isNaN ? nil : Int(max(-1e15, min(1e15, double)))
    }

    /// `sem_ver`: null where an operand is no version or the comparison is unknown.
    mutating func compareVersions(_ rules: [FlagRule], _ scope: FlagScope) throws(Failure)
        -> FlagValue
    {
        let (first, middle, last) = try three(rules, scope)
        try look(at: first)
        try look(at: last)
        guard rules.count == 3, let left = SemanticVersion(first.versionText),
            let right = SemanticVersion(last.versionText), case .string(let comparison) = middle
        else { return .null }
        let order = left.compared(to: right)
        switch comparison {
        case "=": return .bool(order == 0)
        case "!=": return .bool(order != 0)
        case "<": return .bool(order < 0)
        case "<=": return .bool(order <= 0)
        case ">": return .bool(order > 0)
        case ">=": return .bool(order >= 0)
        // Not npm's carets and tildes: the same major version, the same major and minor.
        case "^": return .bool(left.major == right.major)
        case "~": return .bool(left.major == right.major && left.minor == right.minor)
        default: return .null
        }
    }
}

extension FlagValue {
    /// The text of a version: numbers with their fraction, so that 1.0 is "1.0".
    fileprivate var versionText: String {
        switch self {
        case .double(let value): value.description
        case .string(let text): text
        case .integer(let value): String(value)
        case .null, .bool, .array, .object: ""
        }
    }
}
