import CAllocationCounter

/// How figures are taken.
enum Measure {
    /// Rounds of a figure; the median of them counts, so that a busy neighbour spoils few.
    static let rounds = 9

    /// Nanoseconds that one call takes.
    static func nanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(body)
        let parts = duration.components
        return Double(parts.seconds) * 1e9 + Double(parts.attoseconds) / 1e9
    }

    /// The medians of several contestants, which take turns so that all of them meet the same
    /// neighbours. A first turn each warms up and does not count; a contestant that answers `nil`
    /// is absent.
    static func medians(
        rounds: Int = rounds, _ contestants: [() throws -> Double?]
    ) throws -> [Double?] {
        var times = [[Double]](repeating: [], count: contestants.count)
        for round in 0...rounds {
            for (index, contestant) in contestants.enumerated() {
                guard let time = try contestant(), round > 0 else { continue }
                times[index].append(time)
            }
        }
        return times.map(median)
    }

    /// The middle value; `nil` where there is none.
    static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }

    /// How often this thread asks for memory in one call; `nil` where that is not counted (without
    /// glibc).
    static func allocations(_ body: () throws -> Void) rethrows -> Double? {
        guard rejoin_counts_allocations() != 0 else { return nil }
        let before = rejoin_allocation_count()
        try body()
        return Double(rejoin_allocation_count() - before)
    }
}

/// Keeps the optimiser from removing what is measured.
@inline(never)
func keep<Value>(_ value: Value) {}
