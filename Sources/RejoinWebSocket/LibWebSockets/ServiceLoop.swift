#if os(Linux)
import CLibWebSockets
import Foundation
import RejoinTransport
import Synchronization

/// Where to connect, and what to say there.
struct ConnectionAttempt: Sendable {
    let request: WebSocketRequest
    let url: WebSocketURL
    /// The host's address in numeric form.
    let address: String
}

/// The thread on which all calls into libwebsockets happen, and the mailbox by which other
/// threads ask it for something. It starts with the first connection.
final class ServiceLoop: LinkDriver {
    /// What the thread is asked for. The order between the parts does not matter: an attempt
    /// precedes every request to attend to its connection.
    struct Mail {
        var attempts: [(link: Link, attempt: ConnectionAttempt)] = []
        var attention: [UInt] = []
        var stops = false
    }

    private struct State {
        var mail = Mail()
        var hasStarted = false
        /// The address of the running context (pointers are not sendable); `nil` while there is
        /// none that may be woken.
        var context: UInt?
    }

    private let certificateAuthorities: String?
    private let state = Mutex(State())

    init(certificateAuthorities: String?) {
        self.certificateAuthorities = certificateAuthorities
    }

    /// Asks for a connection.
    func open(_ link: Link, _ attempt: ConnectionAttempt) {
        let starts = post { state in
            state.mail.attempts.append((link, attempt))
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        guard starts else { return }
        let thread = Thread { [self, certificateAuthorities] in
            ServiceThread.run(self, certificateAuthorities: certificateAuthorities)
        }
        thread.name = "rejoin.websocket"
        thread.start()
    }

    /// Asks the thread to look at what a connection wants.
    func attend(_ id: UInt) {
        _ = post { state in
            state.mail.attention.append(id)
            return true
        }
    }

    /// Ends the thread.
    func stop() {
        _ = post { state in
            state.mail.stops = true
            return true
        }
    }

    /// Takes the mail out. Called by the thread.
    func collect() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    /// Makes the context known so that it can be woken. Called by the thread.
    func setContext(address: UInt?) {
        state.withLock { $0.context = address }
    }

    /// Takes the last mail out before the thread destroys its context and ends; what is posted
    /// later starts a new thread. The lock keeps a waking call from meeting a destroyed
    /// context.
    func retire() -> Mail {
        state.withLock { state in
            defer { state = State() }
            return state.mail
        }
    }

    private func post(_ body: (inout State) -> Bool) -> Bool {
        state.withLock { state in
            let answer = body(&state)
            if let context = state.context.flatMap(OpaquePointer.init(bitPattern:)) {
                lws_cancel_service(context)
            }
            return answer
        }
    }
}

/// Held by the connector and its connections: when the last of them goes, the thread ends. (The
/// thread itself holds the loop, so the loop cannot notice.)
final class ServiceLease: Sendable {
    let loop: ServiceLoop

    init(_ loop: ServiceLoop) {
        self.loop = loop
    }

    deinit {
        loop.stop()
    }
}
#endif
