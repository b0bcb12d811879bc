import RejoinFlags

/// What a change of a flags file means for a thousand users that are always the same.
package struct RolloutSample: Hashable, Sendable {
    /// How many users are asked.
    package static let users = 1_000

    /// Users by what they have before and after.
    package let moves: [Move]

    /// Users who go one way.
    package struct Move: Hashable, Sendable {
        /// The variant before; `nil` for the code default.
        package let from: String?
        /// The variant after; `nil` for the code default.
        package let to: String?
        /// How many of ``RolloutSample/users`` they are.
        package let count: Int
    }

    /// Asks both versions.
    ///
    /// - Complexity: O(nodes of the targeting).
    init(
        _ flag: String, before: FlagSet, after: FlagSet, attributes: FlagObject, timestamp: Int64
    ) {
        var counts: [Way: Int] = [:]
        for number in 1...Self.users {
            let context = FlagContext(
                targetingKey: "sample-\(number)", attributes: attributes, timestamp: timestamp)
            let way = Way(
                from: Self.variant(of: flag, in: before, for: context),
                to: Self.variant(of: flag, in: after, for: context))
            counts[way, default: 0] += 1
        }
        moves = counts.map { Move(from: $0.from, to: $0.to, count: $1) }.sorted {
            ($0.from ?? "", $0.to ?? "") < ($1.from ?? "", $1.to ?? "")
        }
    }

    private struct Way: Hashable {
        let from: String?
        let to: String?
    }

    /// How many users have other than before.
    package var moved: Int { moves.reduce(0) { $0 + ($1.from == $1.to ? 0 : $1.count) } }

    private static func variant(of flag: String, in set: FlagSet, for context: FlagContext)
        -> String?
    {
        let kind = set[flag]?.variants.first?.value.kind ?? .boolean
        return set.evaluate(flag, as: kind, default: .null, for: context).variant
    }
}
