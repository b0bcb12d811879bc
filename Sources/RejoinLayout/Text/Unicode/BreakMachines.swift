/// The rules of UAX #14 as a table: one look-up for each code point.
struct LineBreakMachine {
    /// A bit of a table's entry: see ``LineBreakRules/Decision``.
    static let allowed: UInt16 = 1
    static let mandatory: UInt16 = 2
    static let provisional: UInt16 = 4
    static let takesBack: UInt16 = 8

    /// For each state and class, the next state in the upper 12 bits and the decision below.
    let table: [UInt16]

    static let syllable = LineBreakMachine(.syllable)
    static let word = LineBreakMachine(.word)

    static func machine(for hangul: HangulBreaking) -> LineBreakMachine {
        switch hangul {
        case .syllable: syllable
        case .word: word
        }
    }

    private init(_ hangul: HangulBreaking) {
        let classes = LineBreakClass.allCases
        table = StateTable.build(start: LineBreakRules.start, columns: 64) { state, column in
            guard column < classes.count else { return (0, state) }
            let (decision, next) = state.reading(classes[column].resolved(hangul))
            return (
                (decision.isAllowed ? Self.allowed : 0)
                    | (decision.isMandatory ? Self.mandatory : 0)
                    | (decision.isProvisional ? Self.provisional : 0)
                    | (decision.takesBack ? Self.takesBack : 0), next
            )
        }
    }
}

/// The rules of UAX #29 as a table.
struct GraphemeMachine {
    /// The bit that tells a boundary.
    static let boundary: UInt16 = 1

    /// For each state and class, the next state in the upper 12 bits and the decision below.
    let table: [UInt16]

    static let shared = GraphemeMachine()

    private init() {
        let classes = GraphemeClass.allCases
        table = StateTable.build(start: GraphemeRules.start, columns: 16) { state, column in
            guard column < classes.count else { return (0, state) }
            let (isBoundary, next) = state.reading(classes[column])
            return (isBoundary ? Self.boundary : 0, next)
        }
    }
}

/// Numbers the states that can be reached, breadth first.
private enum StateTable {
    static func build<State: Hashable>(
        start: State, columns: Int, step: (State, Int) -> (UInt16, State)
    ) -> [UInt16] {
        var states = [start]
        var numbers = [start: 0]
        var table: [UInt16] = []
        var current = 0
        while current < states.count {
            for column in 0..<columns {
                let (decision, next) = step(states[current], column)
                let number = numbers[next] ?? states.count
                if number == states.count {
                    numbers[next] = number
                    states.append(next)
                }
                table.append(UInt16(number) << 4 | decision)
            }
            current += 1
        }
        return table
    }
}
