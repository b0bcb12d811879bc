import Synchronization

/// The end of one request, which one task waits for. The first resolution counts.
final class Completion: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<StompOutcome, Never>)
        case resolved(StompOutcome)
    }

    private let state = Mutex(State.open)

    func resolve(_ outcome: StompOutcome) {
        let continuation: CheckedContinuation<StompOutcome, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .resolved(outcome)
                return nil
            case .awaited(let continuation):
                state = .resolved(outcome)
                return continuation
            case .resolved: return nil
            }
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the end; a cancelled task learns at once that it will not.
    func wait() async throws(StompClientError) {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resolved: StompOutcome? = state.withLock { state in
                    if case .resolved(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let resolved { continuation.resume(returning: resolved) }
            }
        } onCancel: {
            resolve(
                .failed(
                    StompClientError(
                        .cancelled, "the waiting task was cancelled; the request may go on")))
        }
        switch outcome {
        case .succeeded: return
        case .failed(let error): throw error
        }
    }
}
