public import RejoinTransport
import Synchronization

/// A WebSocket connector in memory whose other side is the test: each attempt waits for the test
/// to accept or refuse it.
public final class ScriptedConnector: WebSocketConnector {
    private let attempts = TestQueue<Attempt>()

    /// Creates a connector.
    public init() {}

    public func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> any WebSocketConnection
    {
        let attempt = Attempt(request)
        attempts.put(attempt)
        guard let answer = await attempt.answers.next() else {
            attempt.giveUp()
            throw WebSocketError(.cancelled, "the attempt was given up")
        }
        return try answer.get()
    }

    /// The next attempt that the client makes; waits for it, and traps where the test's task is
    /// cancelled meanwhile: then the test waited in vain.
    public func nextAttempt() async -> Attempt {
        guard let attempt = await nextAttemptUnlessCancelled() else {
            preconditionFailure("nextAttempt() was cancelled; the test waited in vain")
        }
        return attempt
    }

    /// The next attempt that the client makes; `nil` where the task is cancelled.
    public func nextAttemptUnlessCancelled() async -> Attempt? {
        await attempts.next()
    }

    /// Whether an attempt waits that nobody has looked at.
    public var hasUnseenAttempt: Bool { !attempts.isEmpty }

    /// One attempt to connect.
    public final class Attempt: Sendable {
        /// What the client asked for.
        public let request: WebSocketRequest
        fileprivate let answers = TestQueue<Result<ScriptedSocket, WebSocketError>>()
        /// The socket, once it is let in, and whether the client waits for it no more: whichever
        /// comes second ends the socket.
        private let fate = Mutex<(peer: ScriptedPeer?, isGivenUp: Bool)>((nil, false))

        fileprivate init(_ request: WebSocketRequest) {
            self.request = request
        }

        /// Lets the client in; returns the server's side. Where the client has given the attempt up
        /// meanwhile, that side is over already.
        public func accept(subprotocol: String? = "v12.stomp") -> ScriptedPeer {
            let peer = ScriptedPeer()
            let isGivenUp = fate.withLock { fate in
                fate.peer = peer
                return fate.isGivenUp
            }
            if isGivenUp { peer.clientEnded(.abandoned) }
            answers.put(.success(ScriptedSocket(subprotocol: subprotocol, peer: peer)))
            return peer
        }

        fileprivate func giveUp() {
            let peer = fate.withLock { fate in
                fate.isGivenUp = true
                return fate.peer
            }
            peer?.clientEnded(.abandoned)
        }

        /// Refuses the attempt.
        public func refuse(_ error: WebSocketError) {
            answers.put(.failure(error))
        }
    }
}

/// The server's side of a socket in memory.
public final class ScriptedPeer: Sendable {
    /// How the client ended the socket.
    public enum Ending: Hashable, Sendable {
        /// With a closing handshake.
        case closed(UInt16)
        /// Without a word.
        case abandoned
    }

    private struct Behaviour {
        var answersPings = true
        var takesWrites = true
        var end: WebSocketError?
    }

    fileprivate let toClient = TestQueue<Result<WebSocketMessage, WebSocketError>>()
    private let toServer = TestQueue<WebSocketMessage>()
    private let endings = TestQueue<Ending>()
    private let behaviour = Mutex(Behaviour())
    /// One signal each for the writer and for the ping, since a signal wakes one at a time.
    private let writesChanged = Signal(.onceEach)
    private let pingsChanged = Signal(.onceEach)

    fileprivate init() {}

    /// The next message from the client; waits for it. `nil` once the socket has ended.
    public func next() async -> WebSocketMessage? { await toServer.next() }

    /// Sends a message to the client.
    public func send(_ message: WebSocketMessage) {
        toClient.put(.success(message))
    }

    /// Closes in good order.
    public func close(_ code: UInt16, reason: String = "") {
        end(
            WebSocketError(
                .closed, "the peer closed with code \(code)", closeCode: code, closeReason: reason))
    }

    /// Breaks off without a closing handshake.
    public func breakOff() {
        end(WebSocketError(.closed, "the socket broke", closeCode: 1006))
    }

    /// From now on everything is swallowed and nothing comes, and yet the socket stays: the
    /// half-open connection of a phone that left its network.
    public func goSilent() {
        behaviour.withLock { $0.answersPings = false }
    }

    /// Whether it has gone silent.
    var isSilent: Bool { behaviour.withLock { !$0.answersPings } }

    /// Whether either side has ended the socket.
    var isOver: Bool { behaviour.withLock { $0.end != nil } }

    /// Whether the socket takes what the client writes; where it does not, writes wait.
    public func setTakesWrites(_ takes: Bool) {
        behaviour.withLock { $0.takesWrites = takes }
        writesChanged.raise()
    }

    /// How the client ended the socket; waits for it.
    public func ending() async -> Ending? { await endings.next() }

    /// How the client ended the socket, where it has.
    func endingIfEnded() async -> Ending? {
        endings.isEmpty ? nil : await endings.next()
    }

    private func end(_ error: WebSocketError) {
        behaviour.withLock { $0.end = $0.end ?? error }
        toClient.put(.failure(error))
        toServer.finish()
        writesChanged.raise()
        pingsChanged.raise()
    }

    fileprivate func takeWrite(_ message: WebSocketMessage) async throws(WebSocketError) {
        while true {
            let (takes, end) = behaviour.withLock { ($0.takesWrites, $0.end) }
            if let end { throw end }
            if Task.isCancelled { throw WebSocketError(.cancelled, "the write was given up") }
            if takes { return toServer.put(message) }
            await writesChanged.wait()
        }
    }

    fileprivate func takePing() async throws(WebSocketError) {
        while true {
            let (answers, end) = behaviour.withLock { ($0.answersPings, $0.end) }
            if let end { throw end }
            if Task.isCancelled { throw WebSocketError(.cancelled, "the ping was given up") }
            if answers { return }
            await pingsChanged.wait()
        }
    }

    fileprivate func clientEnded(_ ending: Ending) {
        let isFirst = behaviour.withLock { behaviour in
            guard behaviour.end == nil else { return false }
            behaviour.end = WebSocketError(.closed, "the client ended the socket")
            return true
        }
        guard isFirst else { return }
        endings.put(ending)
        toServer.finish()
        toClient.put(.failure(WebSocketError(.closed, "the client ended the socket")))
        writesChanged.raise()
        pingsChanged.raise()
    }
}

/// The client's side of a socket in memory. Who lets go of it leaves, as with a real one.
final class ScriptedSocket: WebSocketConnection {
    let subprotocol: String?
    let peer: ScriptedPeer

    init(subprotocol: String?, peer: ScriptedPeer) {
        self.subprotocol = subprotocol
        self.peer = peer
    }

    deinit { peer.clientEnded(.abandoned) }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        try await peer.takeWrite(message)
    }

    func ping() async throws(WebSocketError) {
        try await peer.takePing()
    }

    func receive() async throws(WebSocketError) -> WebSocketMessage {
        guard let message = await peer.toClient.next() else {
            throw WebSocketError(.cancelled, "the read was given up")
        }
        return try message.get()
    }

    func close(code: UInt16, reason: String, timeout: Duration) async {
        peer.clientEnded(.closed(code))
    }

    func abandon() {
        peer.clientEnded(.abandoned)
    }
}
