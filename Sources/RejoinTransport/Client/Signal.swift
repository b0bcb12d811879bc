import Synchronization

/// A wake-up between tasks that survives being raised before anybody waits.
///
/// With ``Mode/onceEach`` each raise lets one round of waiters through; with ``Mode/forever`` the
/// first raise lets everybody through from then on. A cancelled waiter returns at once.
package final class Signal: Sendable {
    package enum Mode: Sendable { case onceEach, forever }

    private struct State {
        var isRaised = false
        var issued = 0
        var waiters: [(ticket: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let mode: Mode
    private let state = Mutex(State())

    package init(_ mode: Mode) {
        self.mode = mode
    }

    package func raise() {
        let waiters = state.withLock { state in
            let waiters = state.waiters
            state.waiters = []
            state.isRaised = mode == .forever || waiters.isEmpty
            return waiters
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    package func wait() async {
        let ticket = state.withLock { state in
            state.issued += 1
            return state.issued
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    // The handler may have run before this waiter was there to be found: then the
                    // task says so itself.
                    if state.isRaised || Task.isCancelled {
                        if mode == .onceEach { state.isRaised = false }
                        return true
                    }
                    state.waiters.append((ticket, continuation))
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.ticket == ticket }.map {
                    state.waiters.remove(at: $0)
                }
            }
            waiter?.continuation.resume()
        }
    }
}
