#if os(Linux)
import RejoinModel
import RejoinTime
import RejoinTransport
import RejoinWire

/// One accepted socket: first HTTP, request after request, then perhaps a WebSocket. Only the
/// engine's thread touches it.
final class Connection {
    /// Unique in this server's life, unlike the pointer.
    let serial: UInt64
    /// libwebsockets' own object.
    let wsi: OpaquePointer
    var exchange = Exchange.idle
    /// Who the upgrade's token names, for a CONNECT that brings none.
    var upgradePrincipal: Principal?
    var socket: Socket?
    /// The client began with what libwebsockets takes for no request, and has its answer.
    var isTurnedAway = false

    init(serial: UInt64, wsi: OpaquePointer) {
        self.serial = serial
        self.wsi = wsi
    }

    /// Where the current HTTP request stands.
    enum Exchange {
        case idle
        /// The body is coming in, and must be complete in time. That of a request which is refused
        /// already is read and dropped, so that the refusal is not lost to a reset.
        case receiving(HTTPRequest, Result<Principal, BackendFailure>, by: Instant)
        /// The request waits for its late commit.
        case waiting
        /// The response can be written.
        case ready(HTTPResponse)
    }

    /// The WebSocket and its STOMP session.
    struct Socket {
        var session: ServerStompSession
        var decoder: StompDecoder
        var encoder = StompEncoder()
        var principal: Principal?
        var outbound = OutboundQueue()
        /// What it listened to at any time, for the way out.
        var topics: Set<ServerStompSession.Topic> = []
        /// How to close once the queue is empty.
        var closing: (code: UInt16, reason: String)?
    }
}
#endif
