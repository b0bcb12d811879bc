/// How much a shadow comparison may cost.
///
/// The rules are those of GitHub's Scientist: the control's answer is the one that counts, the
/// candidate has no effect that anybody can see, and where it would cost more than it may, it is
/// dropped and not queued.
public struct ShadowPolicy: Hashable, Sendable {
    /// The share of room sessions in which the candidate runs at all, in thousandths.
    public var samplingPerMille = 1_000
    /// Reads of the candidate's own in one room session. Reads that the control makes too are
    /// shared and do not count.
    public var readLimit = 40
    /// How many of them may follow each other at once: one recovery reads several times in a row,
    /// and would never end where it is refused in its midst.
    public var readBurst = 8
    /// The least time between two of them on average over a burst; one that comes earlier is
    /// answered with a failure that the candidate treats as it treats a busy server.
    public var readInterval: Duration = .milliseconds(500)
    /// The most messages that a room may hold: above it the candidate is not started, or dropped.
    public var messageLimit = 10_000
    /// The most inputs that the candidate takes in one room session.
    public var inputLimit = 20_000
    /// The longest that it runs in one room session.
    public var timeLimit: Duration = .seconds(3_600)
    /// Message IDs of each history that a report quotes at most.
    public var reportedHistory = 32

    /// Creates the policy above.
    public init() {}
}
