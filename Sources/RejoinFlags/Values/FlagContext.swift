import Foundation

/// For whom a flag is evaluated (OpenFeature specification, section 3): an immutable value, made
/// once per operation.
public struct FlagContext: Hashable, Sendable {
    /// Who or what is bucketed: a user, a room, a device. Without it `fractional` gives nothing and
    /// the flag its default variant; nobody is bucketed by chance.
    public let targetingKey: String?
    /// What rules may ask about. Members named `targetingKey` and `$flagd` are hidden by the
    /// context's own.
    public let attributes: FlagObject
    /// `$flagd.timestamp`: seconds since 1970, fixed here so that a rule over time answers alike
    /// throughout one operation.
    public let timestamp: Int64

    /// Creates a context.
    ///
    /// - Parameter timestamp: Seconds since 1970; the clock of the machine unless given.
    public init(
        targetingKey: String?, attributes: FlagObject = [:],
        timestamp: Int64 = FlagContext.secondsNow()
    ) {
        self.targetingKey = targetingKey
        self.attributes = attributes
        self.timestamp = timestamp
    }

    /// The machine's calendar time in whole seconds since 1970.
    public static func secondsNow() -> Int64 { Int64(Date().timeIntervalSince1970) }

    public static func == (left: FlagContext, right: FlagContext) -> Bool {
        left.targetingKey.map(ByteKey.init) == right.targetingKey.map(ByteKey.init)
            && left.attributes == right.attributes && left.timestamp == right.timestamp
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(targetingKey.map(ByteKey.init))
        hasher.combine(timestamp)
    }
}
