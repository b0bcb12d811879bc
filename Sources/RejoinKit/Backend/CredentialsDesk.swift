package import RejoinTransport

/// Asks the provider for REST and the socket together, one call at a time.
///
/// Two refreshes at once can sign a person out where the server rotates refresh tokens. Whoever
/// comes while a call is under way waits and takes its result.
package actor CredentialsDesk {
    /// Credentials with a number that rises with each call, so that "expired" can name the ones it
    /// means: an answer to old credentials must not throw new ones away.
    package struct Held: Sendable {
        package let credentials: ChatCredentials
        package let generation: UInt64
    }

    private let provider: any ChatCredentialsProvider
    private var held: Held?
    private var calls: UInt64 = 0
    private var isAsking = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init(_ provider: any ChatCredentialsProvider) {
        self.provider = provider
    }

    /// The credentials for a REST request: those that are held, else the provider's.
    package func current() async throws(StompCredentialsFailure) -> Held {
        if let held { return held }
        return try await ask(.initial, insteadOf: 0)
    }

    /// New credentials, because those of `generation` were refused as expired.
    package func refreshed(after generation: UInt64) async throws(StompCredentialsFailure) -> Held {
        try await ask(.expired, insteadOf: generation)
    }

    /// The credentials for an attempt to connect; the provider is asked before every attempt.
    package func forConnection(_ reason: StompCredentialsReason)
        async throws(StompCredentialsFailure)
        -> ChatCredentials
    {
        try await ask(reason, insteadOf: held?.generation ?? 0).credentials
    }

    private func ask(_ reason: StompCredentialsReason, insteadOf generation: UInt64)
        async throws(StompCredentialsFailure) -> Held
    {
        while isAsking {
            await withCheckedContinuation { waiters.append($0) }
        }
        if let held, held.generation > generation { return held }
        isAsking = true
        defer {
            isAsking = false
            for waiter in waiters { waiter.resume() }
            waiters = []
        }
        let credentials = try await provider.credentials(reason)
        calls += 1
        let fresh = Held(credentials: credentials, generation: calls)
        held = fresh
        return fresh
    }
}
