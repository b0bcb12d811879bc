/// A version in flagd's reading of Semantic Versioning 2.0.0: one leading `v` is dropped, `1` and
/// `1.2` are filled up, build metadata does not count.
package struct SemanticVersion: Sendable {
    let major: Substring
    let minor: Substring
    let patch: Substring
    let preRelease: [Substring]

    /// Reads a version; `nil` where it is none: leading zeros, four parts, spaces, nothing.
    package init?(_ text: String) {
        var rest = text[...]
        if rest.first == "v" || rest.first == "V" { rest.removeFirst() }
        if let plus = rest.firstIndex(of: "+") {
            guard Self.areIdentifiers(rest[rest.index(after: plus)...], numbersAreStrict: false)
            else { return nil }
            rest = rest[..<plus]
        }
        var preRelease: [Substring] = []
        if let dash = rest.firstIndex(of: "-") {
            let tail = rest[rest.index(after: dash)...]
            guard Self.areIdentifiers(tail, numbersAreStrict: true) else { return nil }
            preRelease = tail.split(separator: ".", omittingEmptySubsequences: false)
            rest = rest[..<dash]
        }
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count <= 3, numbers.allSatisfy(Self.isNumber) else { return nil }
        major = numbers[0]
        minor = numbers.count > 1 ? numbers[1] : "0"
        patch = numbers.count > 2 ? numbers[2] : "0"
        self.preRelease = preRelease
    }

    /// A number without leading zeros (item 2).
    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 &- 0x30 < 10 }
            && (text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0"))
    }

    /// Dot-separated identifiers (items 9 and 10).
    private static func areIdentifiers(_ text: Substring, numbersAreStrict: Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            guard !part.isEmpty, part.utf8.allSatisfy(isIdentifierByte) else { return false }
            let isNumeric = part.utf8.allSatisfy { $0 &- 0x30 < 10 }
            return !(numbersAreStrict && isNumeric) || isNumber(part)
        }
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// -1, 0 or 1: the precedence (item 11).
    func compared(to other: SemanticVersion) -> Int {
        for (left, right) in [(major, other.major), (minor, other.minor), (patch, other.patch)] {
            let order = Self.compareNumbers(left, right)
            if order != 0 { return order }
        }
        switch (preRelease.isEmpty, other.preRelease.isEmpty) {
        case (true, true): return 0
        case (true, false): return 1
        case (false, true): return -1
        case (false, false): break
        }
        for (left, right) in zip(preRelease, other.preRelease) {
            let order = Self.compareIdentifiers(left, right)
            if order != 0 { return order }
        }
        return (preRelease.count - other.preRelease.count).signum()
    }

    /// Numbers of any length, without leading zeros: the longer is the larger.
    private static func compareNumbers(_ left: Substring, _ right: Substring) -> Int {
        let order = (left.utf8.count - right.utf8.count).signum()
        return order != 0 ? order : compareBytes(left, right)
    }

    private static func compareIdentifiers(_ left: Substring, _ right: Substring) -> Int {
        switch (isNumber(left), isNumber(right)) {
        case (true, true): compareNumbers(left, right)
        case (true, false): -1
        case (false, true): 1
        case (false, false): compareBytes(left, right)
        }
    }

    private static func compareBytes(_ left: Substring, _ right: Substring) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }
}
