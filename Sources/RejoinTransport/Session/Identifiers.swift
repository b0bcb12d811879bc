/// The number of one attempt to connect, with all that follows from it.
///
/// Every answer from the outside carries the epoch that it belongs to, so that what an old socket
/// still says is recognised and ignored.
public struct ConnectionEpoch: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Counts from 1; 0 stands for "never tried".
    public let number: UInt64

    /// Makes an epoch of its number.
    public init(_ number: UInt64) { self.number = number }

    /// The epoch of the attempt that follows.
    package var next: ConnectionEpoch { ConnectionEpoch(number + 1) }

    public static func < (lhs: ConnectionEpoch, rhs: ConnectionEpoch) -> Bool {
        lhs.number < rhs.number
    }

    public var description: String { "epoch \(number)" }
}

/// The name of a wanted subscription. It outlives connections; the identifier on the wire does
/// not.
public struct StompSubscriptionKey: Hashable, Comparable, Sendable {
    /// Chosen by whoever asks, in rising order.
    public let number: UInt64

    /// Makes a key of its number.
    public init(_ number: UInt64) { self.number = number }

    public static func < (lhs: StompSubscriptionKey, rhs: StompSubscriptionKey) -> Bool {
        lhs.number < rhs.number
    }
}

/// The token of a request whose completion somebody waits for.
public struct StompRequestID: Hashable, Sendable {
    /// Chosen by whoever asks; never used twice in one session.
    public let number: UInt64

    /// Makes a token of its number.
    public init(_ number: UInt64) { self.number = number }
}

/// The name of a transaction. A transaction ends with its connection and is not replayed.
public struct StompTransactionID: Hashable, Sendable {
    /// Chosen by whoever begins it; never used twice in one session.
    public let number: UInt64

    /// Makes a name of its number.
    public init(_ number: UInt64) { self.number = number }
}
