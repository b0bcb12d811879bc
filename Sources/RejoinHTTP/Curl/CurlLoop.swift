#if canImport(CCurl)
import CCurl
import Foundation
import Synchronization

/// The thread on which all transfers happen, and the mailbox by which other threads ask it for
/// something. It starts with the first call.
///
/// The mailbox needs no limit of its own: each call in it has a task that waits.
final class CurlLoop: Sendable {
    /// What the thread is asked for.
    struct Mail {
        var calls: [CurlCall] = []
        var stops = false
    }

    private struct State {
        var mail = Mail()
        var hasStarted = false
        /// The address of the running multi handle (pointers are not sendable); `nil` while there
        /// is none that may be woken.
        var multi: UInt?
    }

    private let state = Mutex(State())

    /// Asks for a transfer.
    func start(_ call: CurlCall) {
        let starts = post { state in
            state.mail.calls.append(call)
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        guard starts else { return }
        let thread = Thread { CurlThread.run(self) }
        thread.name = "rejoin.http"
        thread.start()
    }

    /// Asks the thread to look which calls are given up.
    func attend() {
        _ = post { _ in false }
    }

    /// Ends the thread.
    func stop() {
        _ = post { state in
            state.mail.stops = true
            return false
        }
    }

    /// Takes the mail out. Called by the thread.
    func collect() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    /// Makes the multi handle known so that it can be woken. Called by the thread.
    func setMulti(address: UInt?) {
        state.withLock { $0.multi = address }
    }

    /// Takes the last mail out before the thread frees its handle and ends; a call that is posted
    /// later starts a new thread. The lock keeps a waking call from meeting a freed handle.
    func retire() -> Mail {
        state.withLock { state in
            defer { state = State() }
            return state.mail
        }
    }

    private func post(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            let answer = body(&state)
            // The address is that of a handle which lives until `retire` has removed it here.
            // Waking is the one thing that the library allows from another thread.
            if let multi = state.multi.flatMap(UnsafeMutableRawPointer.init(bitPattern:)) {
                curl_multi_wakeup(multi)
            }
            return answer
        }
    }
}
#endif
