public import RejoinTransport
public import RejoinWire

/// What the backend wants to see, over REST and over the socket. All of it is secret; the
/// description shows none of it.
public struct ChatCredentials: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// Header fields of each REST request.
    public var httpHeaders: HTTPHeaders
    /// Headers of the upgrade, of CONNECT and of each SUBSCRIBE.
    public var stomp: StompCredentials

    /// Creates credentials.
    public init(httpHeaders: HTTPHeaders, stomp: StompCredentials) {
        self.httpHeaders = httpHeaders
        self.stomp = stomp
    }

    /// A bearer token, shown to REST, to the upgrade and to CONNECT alike.
    public static func bearer(_ token: String) -> ChatCredentials {
        ChatCredentials(
            httpHeaders: ["Authorization": "Bearer \(token)"],
            stomp: StompCredentials(
                upgradeHeaders: [.init("Authorization", "Bearer \(token)")],
                connectHeaders: ["Authorization": "Bearer \(token)"]))
    }

    public var description: String { "ChatCredentials(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The seam from which credentials come: the host's sign-in.
public protocol ChatCredentialsProvider: Sendable {
    /// The credentials to use now. `reason` says whether the last ones were refused as expired, so
    /// that new ones are needed. One call at a time, for REST and socket together.
    ///
    /// - Throws: ``StompCredentialsFailure``; a transient one is asked for again after a wait, any
    ///   other stops the connection until the next start.
    func credentials(_ reason: StompCredentialsReason) async throws(StompCredentialsFailure)
        -> ChatCredentials
}

/// Credentials that never change, for bots and tests.
public struct FixedCredentials: ChatCredentialsProvider {
    private let credentials: ChatCredentials

    /// Always gives `credentials`.
    public init(_ credentials: ChatCredentials) {
        self.credentials = credentials
    }

    public func credentials(_ reason: StompCredentialsReason)
        async throws(StompCredentialsFailure) -> ChatCredentials
    {
        credentials
    }
}
