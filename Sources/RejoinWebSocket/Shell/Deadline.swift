internal import RejoinTime
package import RejoinTransport

/// Runs `body` and gives it up at `deadline`.
///
/// - Throws: What `body` throws, or `timed_out`.
package func within<Value: Sendable>(
    _ deadline: ContinuousClock.Instant,
    _ body: @escaping @Sendable () async throws(WebSocketError) -> Value
) async throws(WebSocketError) -> Value {
    let result = await withTaskGroup(of: Result<Value, WebSocketError>?.self) { group in
        group.addTask {
            do throws(WebSocketError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        group.addTask {
            try? await SystemTime().sleep(for: ContinuousClock.now.duration(to: deadline))
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        // Where the clock won, or cancellation woke it first, the other's answer still counts:
        // it may have succeeded in the same moment, and then its connection must not be lost.
        let timedOut = first == nil && !Task.isCancelled
        let settled: Result<Value, WebSocketError>?
        if let first { settled = first } else { settled = await group.next() ?? nil }
        guard timedOut, case .failure(let error) = settled, error.code == .cancelled else {
            return settled
        }
        return .failure(.timedOutOpening)
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw error
    case nil: throw .cancelledByCaller
    }
}
