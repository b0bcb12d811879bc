import RejoinTransport
import Synchronization

/// What moves the bytes of links: a thread with libwebsockets, or a URL session.
protocol LinkDriver: AnyObject, Sendable {
    /// Asks it to bring a link's socket into line with ``Link/wish``, soon. Called on any thread.
    func attend(_ id: UInt)
}

/// The meeting place of a connection's callers, which are tasks, and its driver: the core under a
/// lock, and the continuations of those who wait.
///
/// Inputs are handled under the lock; continuations are resumed and the driver is called after
/// it. A continuation leaves the table when it is resumed, so an answer that comes twice (as the
/// pong handler of `URLSessionWebSocketTask` does) finds nobody the second time.
final class Link: Sendable {
    /// What the driver knows the connection by. Never zero.
    let id: UInt

    private struct State {
        var core: ConnectionCore
        var waiting: [Ticket: CheckedContinuation<ConnectionCore.Outcome, Never>] = [:]
        var lastTicket: UInt64 = 0
        var subprotocol: String?
        var closeTimeout: Duration?
    }

    private let driver: any LinkDriver
    private let state: Mutex<State>

    private static let lastID = Atomic<UInt>(0)

    init(driver: any LinkDriver, maximumMessageBytes: Int) {
        self.driver = driver
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        state = Mutex(State(core: ConnectionCore(maximumMessageBytes: maximumMessageBytes)))
    }

    /// The subprotocol that the server chose, once the connection is open.
    var subprotocol: String? { state.withLock(\.subprotocol) }

    // MARK: - Callers

    /// Hands an input with a fresh ticket to the core and waits for the ticket's outcome.
    func perform(
        _ input: @escaping @Sendable (Ticket) -> ConnectionCore.Input
    ) async -> ConnectionCore.Outcome {
        let ticket = nextTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                apply { state in
                    state.waiting[ticket] = continuation
                    var effects = state.core.handle(input(ticket))
                    // A cancellation before this point found an unknown ticket: it is made up
                    // for here; one after it waits for the lock.
                    if Task.isCancelled { effects += state.core.handle(.cancel(ticket)) }
                    return effects
                }
            }
        } onCancel: {
            handle(.cancel(ticket))
        }
    }

    /// Closes in good order. Cancellation of the task changes nothing: `timeout` bounds it.
    func close(_ frame: CloseFrame, timeout: Duration) async {
        let ticket = nextTicket()
        _ = await withCheckedContinuation { continuation in
            apply { state in
                state.waiting[ticket] = continuation
                // The shortest of several closes counts.
                state.closeTimeout = min(timeout, state.closeTimeout ?? timeout)
                return state.core.handle(.close(ticket, frame))
            }
        }
    }

    private func nextTicket() -> Ticket {
        state.withLock { state in
            state.lastTicket += 1
            return Ticket(number: state.lastTicket)
        }
    }

    /// Drops the socket.
    func abandon() {
        handle(.abandon)
    }

    // MARK: - The driver

    /// Hands an input to the core.
    func handle(_ input: ConnectionCore.Input) {
        apply { $0.core.handle(input) }
    }

    /// Tells that the upgrade succeeded.
    func open(subprotocol: String?) {
        apply { state in
            state.subprotocol = subprotocol
            return state.core.handle(.opened)
        }
    }

    /// Takes a part of a message.
    func take(_ part: ConnectionCore.MessagePart, _ bytes: some Collection<UInt8>) {
        apply { $0.core.take(part, bytes) }
    }

    /// The next frame to write.
    func nextWrite(limit: Int) -> ConnectionCore.Write? {
        state.withLock { $0.core.nextWrite(limit: limit) }
    }

    /// Lets the sender of a message go on whose last frame has been taken by the socket.
    func written(_ ticket: Ticket) {
        handle(.written(ticket))
    }

    /// What the driver shall bring about, and how long a closing handshake may take.
    var wish: (wish: ConnectionCore.Wish, closeTimeout: Duration?) {
        state.withLock { ($0.core.wish, $0.closeTimeout) }
    }

    // MARK: - Effects

    private func apply(_ body: (inout State) -> [ConnectionCore.Effect]) {
        var resumptions:
            [(CheckedContinuation<ConnectionCore.Outcome, Never>, ConnectionCore.Outcome)] = []
        var attends = false
        state.withLock { state in
            for effect in body(&state) {
                switch effect {
                case .resume(let ticket, let outcome):
                    if let continuation = state.waiting.removeValue(forKey: ticket) {
                        resumptions.append((continuation, outcome))
                    }
                case .attend:
                    attends = true
                }
            }
        }
        if attends { driver.attend(id) }
        for (continuation, outcome) in resumptions { continuation.resume(returning: outcome) }
    }
}
