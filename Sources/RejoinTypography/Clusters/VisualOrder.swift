/// Finds levels of UAX #9 that put runs into the order in which a typesetter shows them, where it
/// tells the order and the directions only.
package enum VisualOrder {
    /// A stretch of text in one direction.
    package struct Run: Hashable {
        /// Where it stands in the text.
        package var range: Range<Int>
        /// Whether it is read from the right.
        package var isRightToLeft: Bool

        package init(range: Range<Int>, isRightToLeft: Bool) {
            self.range = range
            self.isRightToLeft = isRightToLeft
        }
    }

    /// The greatest level that UAX #9 has.
    package static let maximumLevel: UInt8 = 126

    /// The least level for each run.
    ///
    /// A level's text is divided where all that stands before in the text also stands before on the
    /// screen; what cannot be divided so was turned round by a higher level.
    ///
    /// - Parameters:
    ///   - runs: the runs of one line from left to right; together they are the whole line.
    ///   - base: the level of the paragraph, 0 or 1.
    /// - Complexity: O(runs × levels).
    package static func levels(of runs: [Run], base: UInt8) -> [(run: Run, level: UInt8)] {
        var found: [(run: Run, level: UInt8)] = []
        found.reserveCapacity(runs.count)
        assign(runs[...], base, to: &found)
        return found
    }

    private static func assign(
        _ runs: ArraySlice<Run>, _ level: UInt8, to found: inout [(run: Run, level: UInt8)]
    ) {
        let isOdd = level % 2 == 1
        if level >= maximumLevel {
            found += runs.map { ($0, level) }
            return
        }
        let ordered = isOdd ? Array(runs.reversed()) : Array(runs)
        // The least start of what follows each run.
        var least = [Int](repeating: .max, count: ordered.count + 1)
        for index in ordered.indices.reversed() {
            least[index] = min(least[index + 1], ordered[index].range.lowerBound)
        }
        var (first, end) = (0, Int.min)
        for index in ordered.indices {
            end = max(end, ordered[index].range.upperBound)
            guard end <= least[index + 1] else { continue }
            if first == index, ordered[index].isRightToLeft == isOdd {
                found.append((ordered[index], level))
            } else {
                let part = ordered[first...index]
                assign(isOdd ? ArraySlice(part.reversed()) : part, level + 1, to: &found)
            }
            (first, end) = (index + 1, Int.min)
        }
    }
}
