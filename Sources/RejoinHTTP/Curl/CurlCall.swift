#if canImport(CCurl)
import RejoinModel
import RejoinWire
import Synchronization

/// One request on its way through the service thread, and the place where its outcome is left for
/// the task that waits. Whatever decides it first counts: the transfer's end, a limit, the deadline
/// or cancellation.
final class CurlCall: Sendable {
    typealias Outcome = Result<HTTPResponse, BackendFailure>

    let url: String
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    /// What `deadline` was made of; for the error text.
    let timeout: Duration
    let maximumBytes: Int

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case settled(Outcome)
    }

    private let state = Mutex(State.open)

    init(
        url: String, request: HTTPRequest, deadline: ContinuousClock.Instant, timeout: Duration,
        maximumBytes: Int
    ) {
        self.url = url
        self.request = request
        self.deadline = deadline
        self.timeout = timeout
        self.maximumBytes = maximumBytes
    }

    /// Whether nobody waits any more.
    var isSettled: Bool {
        state.withLock { if case .settled = $0 { true } else { false } }
    }

    /// Leaves the outcome, unless there is one already.
    func settle(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            switch state {
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let waiter):
                state = .settled(outcome)
                return waiter
            case .settled: return nil
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the outcome. One task may wait.
    ///
    /// - Parameter abandon: Called where the task is cancelled, after that has become the outcome.
    func outcome(abandon: @escaping @Sendable () -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let early = state.withLock { state -> Outcome? in
                    guard case .settled(let outcome) = state else {
                        state = .awaited(waiter)
                        return nil
                    }
                    return outcome
                }
                if let early { waiter.resume(returning: early) }
            }
        } onCancel: {
            settle(.failure(.givenUp))
            abandon()
        }
    }
}

extension BackendFailure {
    /// The failure of a request whose task was cancelled.
    static var givenUp: BackendFailure { BackendFailure(.cancelled, "the request was given up") }
}
#endif
