/// The classes of UAX #29 in the order of `Scripts/unicode-tables.py`.
enum GraphemeClass: UInt8, CaseIterable {
    case other, carriageReturn, lineFeed, control, extend, zeroWidthJoiner, regionalIndicator
    case prepend, spacingMark, leading, vowel, trailing, syllableLV, syllableLVT, pictographic
}

/// The rules of UAX #29 for extended grapheme clusters (Unicode 15.0, GB3 to GB999).
struct GraphemeRules: Hashable {
    private enum Emoji: Hashable {
        case none
        /// A pictograph and its extenders.
        case open
        /// The same with a joiner: another pictograph joins.
        case joined
    }

    private var last: GraphemeClass?
    private var emoji = Emoji.none
    private var isOddIndicator = false

    /// At the start of a text.
    static let start = GraphemeRules()

    /// Reads a class and tells whether a cluster begins before it.
    func reading(_ next: GraphemeClass) -> (Bool, GraphemeRules) {
        var state = GraphemeRules()
        state.last = next
        state.isOddIndicator = next == .regionalIndicator && !(isRegional && isOddIndicator)
        state.emoji =
            switch next {
            case .pictographic: .open
            case .extend: emoji == .none ? .none : .open
            case .zeroWidthJoiner: emoji == .none ? .none : .joined
            default: .none
            }
        guard let last else { return (true, state) }
        return (isBoundary(last, next), state)
    }

    private var isRegional: Bool { last == .regionalIndicator }

    private func isBoundary(_ last: GraphemeClass, _ next: GraphemeClass) -> Bool {
        switch (last, next) {
        case (.carriageReturn, .lineFeed): return false  // GB3
        case (.carriageReturn, _), (.lineFeed, _), (.control, _): return true  // GB4
        case (_, .carriageReturn), (_, .lineFeed), (_, .control): return true  // GB5
        case (.leading, .leading), (.leading, .vowel), (.leading, .syllableLV),
            (.leading, .syllableLVT):
            return false  // GB6
        case (.syllableLV, .vowel), (.syllableLV, .trailing), (.vowel, .vowel),
            (.vowel, .trailing):
            return false  // GB7
        case (.syllableLVT, .trailing), (.trailing, .trailing): return false  // GB8
        case (_, .extend), (_, .zeroWidthJoiner), (_, .spacingMark): return false  // GB9, GB9a
        case (.prepend, _): return false  // GB9b
        case (.zeroWidthJoiner, .pictographic): return emoji != .joined  // GB11
        case (.regionalIndicator, .regionalIndicator): return !isOddIndicator  // GB12, GB13
        case (_, _): return true  // GB999
        }
    }
}
