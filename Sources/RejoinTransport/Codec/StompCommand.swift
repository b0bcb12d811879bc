/// What a frame asks or tells (STOMP 1.2, "Client Frames" and "Server Frames").
public enum StompCommand: String, Sendable, Hashable, CaseIterable {
    /// Opens a session.
    case connect = "CONNECT"
    /// Opens a session, as ``connect`` does; 1.1 and later.
    case stomp = "STOMP"
    /// Sends a message to a destination.
    case send = "SEND"
    /// Asks for the messages of a destination.
    case subscribe = "SUBSCRIBE"
    /// Ends a subscription.
    case unsubscribe = "UNSUBSCRIBE"
    /// Tells that a message was consumed.
    case ack = "ACK"
    /// Tells that a message was not consumed.
    case nack = "NACK"
    /// Begins a transaction.
    case begin = "BEGIN"
    /// Commits a transaction.
    case commit = "COMMIT"
    /// Rolls a transaction back.
    case abort = "ABORT"
    /// Ends the session in good order.
    case disconnect = "DISCONNECT"
    /// Answers ``connect``.
    case connected = "CONNECTED"
    /// Delivers a message of a subscription.
    case message = "MESSAGE"
    /// Tells that a frame with a `receipt` header was processed.
    case receipt = "RECEIPT"
    /// Tells that something went wrong; the connection is to be closed.
    case error = "ERROR"

    /// Whether a server sends it; all others come from clients.
    public var isFromServer: Bool {
        switch self {
        case .connected, .message, .receipt, .error: true
        case .connect, .stomp, .send, .subscribe, .unsubscribe, .ack, .nack, .begin, .commit,
            .abort, .disconnect:
            false
        }
    }

    /// Whether the frame may have a body (STOMP 1.2, "Body": SEND, MESSAGE and ERROR only).
    public var allowsBody: Bool {
        switch self {
        case .send, .message, .error: true
        case .connect, .stomp, .subscribe, .unsubscribe, .ack, .nack, .begin, .commit, .abort,
            .disconnect, .connected, .receipt:
            false
        }
    }

    /// Whether header values stand unescaped in every version (STOMP 1.2, "Value Encoding"), so
    /// that a login with a colon or a backslash works with 1.0 servers too.
    public var hasRawHeaders: Bool {
        switch self {
        case .connect, .stomp, .connected: true
        case .send, .subscribe, .unsubscribe, .ack, .nack, .begin, .commit, .abort, .disconnect,
            .message, .receipt, .error:
            false
        }
    }
}
