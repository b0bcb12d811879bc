/// The other side of the WebSocket contract: a server that misbehaves on demand.
///
/// ``LoopbackWebSocketPeer`` is one; a host may bring its own, for example behind the proxy that
/// its apps go through.
public protocol WebSocketPeer: Sendable {
    /// The behaviours that this peer has; a check that needs another one is skipped. All of them,
    /// unless the peer says otherwise.
    var behaviours: Set<WebSocketPeerBehaviour> { get }

    /// Whether its connections are bytes on a network. Where they are not, as with a fake, checks
    /// of URLs, header fields, deadlines and close reasons are skipped. `true`, unless the peer
    /// says otherwise.
    var isOnTheWire: Bool { get }

    /// The URL at which the peer behaves so.
    func url(_ behaviour: WebSocketPeerBehaviour) -> String

    /// What the peer saw of the last connection with this behaviour. Waits until the peer has
    /// finished with it; `nil` where there was none.
    func observation(of behaviour: WebSocketPeerBehaviour) async -> WebSocketPeerObservation?

    /// Whether a write of the peer with this behaviour has had to wait because the client did not
    /// read.
    func hasHadToWait(_ behaviour: WebSocketPeerBehaviour) -> Bool
}

extension WebSocketPeer {
    public var behaviours: Set<WebSocketPeerBehaviour> { Set(WebSocketPeerBehaviour.allCases) }
    public var isOnTheWire: Bool { true }
}

/// What a peer saw of one connection.
public struct WebSocketPeerObservation: Hashable, Sendable {
    /// The header fields of the upgrade request, names in lower case.
    public var headers: [String: String]
    /// The code of the client's close frame; `nil` where none came.
    public var closeCode: UInt16?
    /// The reason in the client's close frame.
    public var closeReason: String?
    /// How many messages came whole.
    public var messages: Int
    /// How many frames carried them.
    public var fragments: Int
    /// Whether every frame was masked (RFC 6455 section 5.1).
    public var wasMasked: Bool

    /// Creates an observation.
    public init(headers: [String: String] = [:]) {
        self.headers = headers
        closeCode = nil
        closeReason = nil
        messages = 0
        fragments = 0
        wasMasked = true
    }
}

/// How a peer behaves.
public enum WebSocketPeerBehaviour: String, Sendable, CaseIterable {
    /// Takes the first subprotocol offered, returns each message as it came, answers pings and
    /// close frames.
    case echo
    /// Like `echo`, choosing no subprotocol.
    case echoWithoutSubprotocol
    /// Chooses the subprotocol `unasked.example`.
    case unofferedSubprotocol
    /// Answers 401 with the body `{"code":"token_expired"}`, sent apart from its header.
    case refusal401
    /// Answers 403.
    case refusal403
    /// Answers 503 with `Retry-After: 7`.
    case refusal503
    /// Answers 301 to another place.
    case redirect
    /// Answers 200 with a page.
    case page
    /// Answers 401 with a body of 64 KiB, chunked.
    case longRefusal
    /// Answers 101 with a wrong `Sec-WebSocket-Accept`.
    case wrongAccept
    /// Answers 101 without `Sec-WebSocket-Accept`.
    case missingAccept
    /// Answers 101 with an extension that nobody offered.
    case unofferedExtension
    /// Answers 101 with a header field of 64 KiB.
    case endlessHeader
    /// Answers by something that is not HTTP.
    case noHTTP
    /// Ends the connection instead of answering the upgrade.
    case endsDuringUpgrade
    /// Never answers the upgrade.
    case silentUpgrade
    /// Sends the TEXT messages `one` and `two` in the same packet as its 101.
    case eager
    /// Sends its 101 and the TEXT message `drip` byte by byte.
    case drip
    /// Sends the TEXT message `héllo` in three fragments, the second cut inside a character, with
    /// a ping after the first.
    case fragments
    /// Sends a BINARY message of 2,000,000 bytes, in one frame.
    case oversize
    /// Sends a BINARY message of 2,000,000 bytes, in fragments of 1,000 bytes.
    case oversizeFragments
    /// Announces a frame of 2^62 bytes and sends 128 KiB of it.
    case hugeAnnouncement
    /// Sends a TEXT message that is not UTF-8.
    case invalidText
    /// Sends a TEXT message that ends inside a character.
    case truncatedText
    /// Sends 10,000 pings, then the TEXT message `done`, then behaves like `echo`.
    case pingFlood
    /// Closes with 1000, `bye`.
    case closesNormally
    /// Closes with 4001, `moved`.
    case closesPrivately
    /// Closes without a code.
    case closesWithoutCode
    /// Closes with the code 999, which nobody may send.
    case closesWithInvalidCode
    /// Sends the TEXT message `last`, then closes with 1001.
    case closesAfterMessage
    /// Ends the connection right after the upgrade.
    case vanishes
    /// Ends the connection inside a frame.
    case vanishesInFrame
    /// Resets the connection inside a frame.
    case resetsInFrame
    /// Sends a frame with the reserved opcode 3.
    case reservedOpcode
    /// Sends a continuation frame without a beginning.
    case strayContinuation
    /// Reads, but never answers anything: no pong, no close frame.
    case mute
    /// Sends 64 BINARY messages of 1 MiB as fast as they go.
    case flood
    /// Never reads after the upgrade.
    case neverReads
}
