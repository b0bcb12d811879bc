package import RejoinTransport
import Synchronization

/// A value that a callback delivers to one waiting task. The first answer counts: callbacks that
/// come twice (`sendPing` of URLSession does) and answers after a cancellation are ignored, where
/// a bare continuation would trap.
package final class OnceContinuation<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Result<Value, WebSocketError>, Never>)
        case settled(Result<Value, WebSocketError>)
    }

    private let state = Mutex(State.empty)

    /// Creates an empty one.
    package init() {}

    /// Delivers the answer, unless there is one already.
    package func resume(_ result: Result<Value, WebSocketError>) {
        let waiting: CheckedContinuation<Result<Value, WebSocketError>, Never>? =
            state.withLock { state in
                switch state {
                case .empty:
                    state = .settled(result)
                    return nil
                case .waiting(let continuation):
                    state = .settled(result)
                    return continuation
                case .settled:
                    return nil
                }
            }
        waiting?.resume(returning: result)
    }

    /// Waits for the answer. One task may wait.
    ///
    /// - Throws: The error that was delivered, or `cancelled`.
    package func value() async throws(WebSocketError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let settled: Result<Value, WebSocketError>? = state.withLock { state in
                    guard case .settled(let result) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    return result
                }
                if let settled { continuation.resume(returning: settled) }
            }
        } onCancel: {
            resume(.failure(.cancelledByCaller))
        }
        return try result.get()
    }
}
