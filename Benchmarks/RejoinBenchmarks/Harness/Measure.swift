import CAllocationCounter
import Foundation

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

    /// Nanoseconds of processor time that one call takes on this thread. For work that waits for
    /// nothing: what else the machine does then hardly shows.
    static func processorNanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = processorTime()
        try body()
        return processorTime() - start
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
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
