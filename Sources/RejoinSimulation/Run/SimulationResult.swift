/// What one run amounted to.
public struct SimulationResult: Sendable {
    /// The seed.
    public let seed: UInt64
    /// What it was like.
    public let options: SimulationOptions
    /// How long it took, in virtual seconds.
    public internal(set) var virtualSeconds = 0.0
    /// What was not kept, in numbers.
    public internal(set) var counts = SimulationCounts()
    /// What was not kept, in words; the first few.
    public internal(set) var violations: [Violation] = []
    /// What happened.
    public internal(set) var statistics = SimulationStatistics()
    /// Whether the server had trimmed its history by the end.
    public internal(set) var isTrimmed = false
    /// Whether a device ended signed out.
    public internal(set) var isUnauthorised = false
    /// The story, where it was asked for.
    public internal(set) var trace: [String] = []

    init(options: SimulationOptions) {
        seed = options.seed
        self.options = options
    }
}

/// What was not kept. All of it is 0 where every promise was.
public struct SimulationCounts: Hashable, Sendable {
    /// Messages on the server that a device does not hold and that lie in no gap that it shows.
    public internal(set) var missing = 0
    /// Messages shown or held twice.
    public internal(set) var duplicated = 0
    /// Messages shown out of the server's order.
    public internal(set) var misordered = 0
    /// Read positions that moved back, are not equal at rest, or count wrongly.
    public internal(set) var readRegressions = 0
    /// Sends and changes that were accepted, and are neither on the server nor shown as failed or
    /// unconfirmed.
    public internal(set) var lostSends = 0
    /// Sends that the server has more than once without the person's consent.
    public internal(set) var doubleSends = 0
    /// Devices that did not come to rest in time after the last fault.
    public internal(set) var unconverged = 0
    /// Limits that were not kept.
    public internal(set) var boundsExceeded = 0
    /// Verdicts of a rollout guard that were wrong: a healthy pipeline taken back, or an ill one
    /// left to people.
    public internal(set) var misjudged = 0

    /// Whether everything was kept.
    public var isClean: Bool { self == SimulationCounts() }

    static func += (lhs: inout SimulationCounts, rhs: SimulationCounts) {
        lhs.missing += rhs.missing
        lhs.duplicated += rhs.duplicated
        lhs.misordered += rhs.misordered
        lhs.readRegressions += rhs.readRegressions
        lhs.lostSends += rhs.lostSends
        lhs.doubleSends += rhs.doubleSends
        lhs.unconverged += rhs.unconverged
        lhs.boundsExceeded += rhs.boundsExceeded
        lhs.misjudged += rhs.misjudged
    }
}

/// What happened in a run, in numbers.
public struct SimulationStatistics: Hashable, Sendable {
    /// Things that happened.
    public internal(set) var steps = 0
    /// Messages that the server stored.
    public internal(set) var messages = 0
    /// Messages that people with devices sent.
    public internal(set) var sends = 0
    /// Faults that struck.
    public internal(set) var faults = 0
    /// Processes killed.
    public internal(set) var kills = 0
    /// Requests by REST.
    public internal(set) var requests = 0
    /// Commits that a store executed.
    public internal(set) var commits = 0
    /// Recoveries that ended.
    public internal(set) var recoveries = 0
    /// Changes of the flag that names the pipeline.
    public internal(set) var flips = 0
    /// Rooms handed over from one pipeline to another.
    public internal(set) var handovers = 0
    /// What intervals on the legacy pipeline cost: messages that it lacked when it handed over, and
    /// rows that it showed twice or out of order.
    public internal(set) var legacyLosses = 0
    /// Devices whose guard took the refactored pipeline back.
    public internal(set) var rollbacks = 0
}

/// A promise that was not kept, in words that a colleague would use.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// Which count it belongs to.
    public enum Kind: String, Hashable, Sendable {
        /// See ``SimulationCounts``.
        case missing, duplicated, misordered, readRegression, lostSend, doubleSend, unconverged
        /// See ``SimulationCounts/boundsExceeded``.
        case boundExceeded
        /// See ``SimulationCounts/misjudged``.
        case misjudged
    }

    /// Which count it belongs to.
    public let kind: Kind
    /// When it was found, in virtual time.
    public let time: String
    /// On which device, in which room.
    public let place: String
    /// What should have been.
    public let expected: String
    /// What was.
    public let got: String
    /// Who is hurt by it, and how.
    public let whoIsHurt: String

    public var description: String {
        "\(kind.rawValue) at \(time), \(place): expected \(expected); got \(got). "
            + "Who is hurt: \(whoIsHurt)."
    }
}
