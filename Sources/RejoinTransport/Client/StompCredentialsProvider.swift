/// The seam to the host's sign-in: asked before every attempt to connect.
///
/// Ask one provider for REST and for the socket, and let it do one refresh at a time: two
/// refreshes that race can sign a person out.
public protocol StompCredentialsProvider: Sendable {
    /// The credentials for the attempt that is about to start. With the reason `expired` the last
    /// ones were refused, and only new ones help.
    ///
    /// The caller's task is cancelled where the attempt is given up; return then.
    func credentials(for reason: StompCredentialsReason) async throws(StompCredentialsFailure)
        -> StompCredentials
}

/// Credentials that never change, for servers without tokens.
public struct FixedStompCredentials: StompCredentialsProvider {
    private let credentials: StompCredentials

    /// Creates a provider; without an argument, of nothing.
    public init(_ credentials: StompCredentials = StompCredentials()) {
        self.credentials = credentials
    }

    public func credentials(for reason: StompCredentialsReason)
        async throws(StompCredentialsFailure) -> StompCredentials
    {
        credentials
    }
}
