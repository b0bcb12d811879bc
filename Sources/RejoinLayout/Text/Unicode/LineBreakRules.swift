/// The rules of UAX #14 (Unicode 15.0, LB2 to LB31), with the tailoring of numbers of section 8.2,
/// example 7, which the standard's test expects.
///
/// A state is what the rules must remember of the text so far. The rules run once for each state
/// and class, to fill the table of ``LineBreakMachine``.
struct LineBreakRules: Hashable {
    /// What happens before a code point.
    struct Decision {
        /// Whether a line may end before it.
        var isAllowed = false
        /// Whether a line must end before it.
        var isMandatory = false
        /// Whether the decision falls back to "no" should a number follow (LB25: `$(1`).
        var isProvisional = false
        /// Whether the provisional decision made one code point before is taken back.
        var takesBack = false
    }

    /// How far a number has been read (LB25).
    private enum Number: Hashable {
        case none
        /// NU (NU | SY | IS)*.
        case inside
        /// The same, closed by CL or CP.
        case closed
    }

    /// The class of the last code point that is not a space; a combined sequence counts as its
    /// base. Nil at the start of the text.
    private var last: LineBreakClass?
    /// Whether spaces followed it.
    private var hasSpaces = false
    /// Whether the code point before was ZWJ.
    private var isJoined = false
    /// Whether the number of regional indicators so far is odd.
    private var isOddIndicator = false
    /// Whether `last` is a hyphen that follows a Hebrew letter (LB21a).
    private var followsHebrew = false
    /// Whether `last` is an opening punctuation after a prefix or postfix, broken provisionally.
    private var isPending = false
    private var number = Number.none

    /// At the start of a text.
    static let start = LineBreakRules()

    /// Reads a class and tells what happens before it.
    func reading(_ raw: LineBreakClass) -> (Decision, LineBreakRules) {
        guard let last else { return (Decision(), state(after: raw, combines: false)) }
        // LB4, LB5: after a hard break.
        if last.endsLine, !hasSpaces {
            if last == .carriageReturn, raw == .lineFeed {
                return (Decision(), state(after: raw, combines: false))
            }
            let decision = Decision(isAllowed: true, isMandatory: true)
            return (decision, LineBreakRules.start.reading(raw).1)
        }
        // LB9: a mark joins its base; LB10: without a base it is a letter.
        let isMark = raw == .combiningMark || raw == .zeroWidthJoiner
        let combines = isMark && !hasSpaces && last != .zeroWidthSpace
        let next = isMark && !combines ? .alphabetic : raw
        var decision = Decision()
        if !combines {
            decision.isAllowed = allowsBreak(from: last, to: next)
            let isPrefix = last == .prefixNumeric || last == .postfixNumeric
            if decision.isAllowed, next.isOpening, isPrefix, !hasSpaces {
                decision.isProvisional = true
            }
            decision.takesBack = isPending && next == .numeric
        }
        var state = state(after: raw, combines: combines)
        if !combines { state.isPending = decision.isProvisional }
        return (decision, state)
    }

    /// LB6 to LB31 for two classes of which neither is a mark; spaces may lie between them.
    private func allowsBreak(from last: LineBreakClass, to next: LineBreakClass) -> Bool {
        if next.endsLine { return false }  // LB6
        if next == .space || next == .zeroWidthSpace { return false }  // LB7
        if last == .zeroWidthSpace { return true }  // LB8
        if isJoined { return false }  // LB8a
        if next == .wordJoiner { return false }  // LB11
        if last == .wordJoiner, !hasSpaces { return false }
        if last == .glue, !hasSpaces { return false }  // LB12
        if next == .glue, !hasSpaces, last != .breakAfter, last != .hyphen {
            return false  // LB12a
        }
        switch next {  // LB13 as example 7 has it, LB25 for numbers
        case .closePunctuation, .closeParenthesis, .wideCloseParenthesis, .exclamation,
            .infixNumeric, .symbol:
            return false
        default: break
        }
        if last.isOpening { return false }  // LB14
        if last == .quotation, next.isOpening { return false }  // LB15
        if last.isClosing, next == .nonstarter { return false }  // LB16
        if last == .breakBoth, next == .breakBoth { return false }  // LB17
        if hasSpaces { return true }  // LB18
        if next == .quotation || last == .quotation { return false }  // LB19
        if next == .contingent || last == .contingent { return true }  // LB20
        if next == .breakAfter || next == .hyphen || next == .nonstarter { return false }  // LB21
        if last == .breakBefore { return false }
        if followsHebrew { return false }  // LB21a
        if last == .symbol, next == .hebrewLetter { return false }  // LB21b
        if next == .inseparable { return false }  // LB22
        return !joinsWords(last, next)
    }

    /// LB23 to LB30b.
    private func joinsWords(_ last: LineBreakClass, _ next: LineBreakClass) -> Bool {
        let isAffix = last == .prefixNumeric || last == .postfixNumeric
        let isNextAffix = next == .prefixNumeric || next == .postfixNumeric
        if last.isLetter, next == .numeric || next.isLetter || isNextAffix {
            return true  // LB23, LB24, LB28
        }
        if last == .numeric, next.isLetter { return true }  // LB23
        if last == .prefixNumeric, next.isIdeographic || next.isHangul {
            return true  // LB23a, LB27
        }
        if next == .postfixNumeric, last.isIdeographic || last.isHangul { return true }
        if isAffix, next.isLetter || next == .numeric { return true }  // LB24, LB25
        if last == .hyphen, next == .numeric { return true }  // LB25
        if number == .inside, next == .numeric || isNextAffix { return true }
        if number == .closed, isNextAffix { return true }
        if last.isHangul, next.isHangul { return joinsSyllable(last, next) }  // LB26
        if last == .infixNumeric, next.isLetter { return true }  // LB29
        if next == .openPunctuation, last.isLetter || last == .numeric { return true }  // LB30
        if last == .closeParenthesis, next.isLetter || next == .numeric { return true }
        if last == .regionalIndicator, next == .regionalIndicator {
            return isOddIndicator  // LB30a
        }
        return next == .emojiModifier && (last == .emojiBase || last == .reservedPictograph)
    }

    /// LB26.
    private func joinsSyllable(_ last: LineBreakClass, _ next: LineBreakClass) -> Bool {
        switch last {
        case .leadingJamo: next != .trailingJamo
        case .vowelJamo, .hangulLV: next == .vowelJamo || next == .trailingJamo
        case .trailingJamo, .hangulLVT: next == .trailingJamo
        default: false
        }
    }

    /// What is remembered after a class.
    private func state(after raw: LineBreakClass, combines: Bool) -> LineBreakRules {
        var state = self
        state.isJoined = raw == .zeroWidthJoiner
        if combines { return state }
        if raw == .space {
            // A space at the start of a line is a base like any other: only LB18 looks at it.
            state = LineBreakRules()
            state.last = last?.endsLine == false ? last : .space
            state.hasSpaces = true
            return state
        }
        let isMark = raw == .combiningMark || raw == .zeroWidthJoiner
        let next = isMark ? .alphabetic : raw
        state.last = next
        state.hasSpaces = false
        state.isPending = false
        state.isOddIndicator =
            next == .regionalIndicator
            && !(last == .regionalIndicator && !hasSpaces && isOddIndicator)
        state.followsHebrew =
            last == .hebrewLetter && !hasSpaces && (next == .hyphen || next == .breakAfter)
        let inside = number == .inside && !hasSpaces
        state.number =
            switch next {
            case .numeric: .inside
            case .symbol, .infixNumeric: inside ? .inside : .none
            case .closePunctuation, .closeParenthesis, .wideCloseParenthesis:
                inside ? .closed : .none
            default: .none
            }
        return state
    }
}
