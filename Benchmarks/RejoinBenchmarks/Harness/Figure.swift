/// One measured figure, and how it stands against a peer measured in the same run.
struct Figure {
    /// What was measured, such as `decode whole`.
    let name: String
    /// The measured value.
    let value: Double
    /// Its unit, such as `MB/s` or `allocations/frame`.
    let unit: String
    /// The peers of this figure.
    var comparisons: [Comparison] = []
    /// The bound that the value itself must keep.
    var bound: Bound?

    /// A peer's value of the same figure.
    struct Comparison {
        /// The peer's name.
        let peer: String
        /// Its value, in the figure's unit; `nil` where the peer is not installed.
        let value: Double?
        /// How many times better than the peer we are, whether more or less is better.
        let ratio: Double?
        /// The least ratio that is promised.
        let promised: Double?
    }

    /// A bound on a value.
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
    }

    /// Whether each promise that could be checked holds.
    var holds: Bool {
        let kept: Bool =
            switch bound {
            case .atMost(let most): value <= most
            case .atLeast(let least): value >= least
            case nil: true
            }
        return kept
            && comparisons.allSatisfy { comparison in
                guard let ratio = comparison.ratio, let promised = comparison.promised else {
                    return true
                }
                return ratio >= promised
            }
    }

    /// A figure of which more is better, such as a throughput.
    static func throughput(
        _ name: String, _ value: Double, _ unit: String,
        peers: [(name: String, value: Double?, promised: Double?)] = []
    ) -> Figure {
        Figure(
            name: name, value: value, unit: unit,
            comparisons: peers.map { peer in
                Comparison(
                    peer: peer.name, value: peer.value, ratio: peer.value.map { value / $0 },
                    promised: peer.promised)
            })
    }

    /// A figure of which less is better, such as a duration.
    static func cost(
        _ name: String, _ value: Double, _ unit: String,
        peers: [(name: String, value: Double?, promised: Double?)] = []
    ) -> Figure {
        Figure(
            name: name, value: value, unit: unit,
            comparisons: peers.map { peer in
                Comparison(
                    peer: peer.name, value: peer.value, ratio: peer.value.map { $0 / value },
                    promised: peer.promised)
            })
    }
}
