import RejoinKit
import RejoinTransport
import RejoinWire
import Synchronization
import Testing

@Suite("P8: one refresh at a time, over REST and the socket together")
struct CredentialsDeskTests {
    /// Gives tokens that count, and counts how many calls run at once.
    private final class Provider: ChatCredentialsProvider {
        struct State {
            var calls = 0
            var running = 0
            var mostRunning = 0
        }

        let state = Mutex(State())

        func credentials(_ reason: StompCredentialsReason)
            async throws(StompCredentialsFailure) -> ChatCredentials
        {
            let number = state.withLock { state in
                state.calls += 1
                state.running += 1
                state.mostRunning = max(state.mostRunning, state.running)
                return state.calls
            }
            for _ in 0..<20 { await Task.yield() }
            state.withLock { $0.running -= 1 }
            return .bearer("token-\(number)")
        }
    }

    @Test("matrix-rust-sdk 6860: many that find a token expired cause one refresh")
    func coalesced() async throws {
        let provider = Provider()
        let desk = CredentialsDesk(provider)
        let first = try await desk.current()
        let generations = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<50 {
                group.addTask { try await desk.refreshed(after: first.generation).generation }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(generations == [first.generation + 1])
        #expect(provider.state.withLock { $0.calls } == 2)
        #expect(provider.state.withLock { $0.mostRunning } == 1)
    }

    @Test("Expired old credentials do not throw newer ones away")
    func staleExpiry() async throws {
        let desk = CredentialsDesk(Provider())
        let first = try await desk.current()
        let second = try await desk.refreshed(after: first.generation)
        let again = try await desk.refreshed(after: first.generation)
        #expect(again.generation == second.generation)
    }

    @Test("Each attempt to connect asks the provider")
    func perAttempt() async throws {
        let provider = Provider()
        let desk = CredentialsDesk(provider)
        _ = try await desk.forConnection(.initial)
        _ = try await desk.forConnection(.initial)
        #expect(provider.state.withLock { $0.calls } == 2)
    }
}
