public import RejoinTime

/// The state of the connection, as a person can be shown it.
public enum ConnectionStatus: Hashable, Sendable {
    /// Nobody has asked for a connection yet.
    case idle
    /// An attempt is under way.
    case connecting
    /// The server has accepted the connection.
    case connected
    /// The last connection or attempt ended. The next attempt starts at the given instant; `nil`
    /// stands for the next foreground.
    case waiting(until: Instant?, after: StompClientError?)
    /// A farewell is under way, for a bounded time.
    case disconnecting
    /// No attempt follows until somebody asks again.
    case stopped(StopReason)

    /// Why no attempt follows.
    public enum StopReason: Hashable, Sendable {
        /// The host disconnected.
        case requested
        /// Trying again is useless until something changes.
        case failed(StompClientError)
    }
}
