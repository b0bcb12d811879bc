public import RejoinModel

/// The client's half of a wire format: how calls, answers, commands and events look on the wire.
public protocol WireFormat: Sendable {
    // MARK: REST

    /// The HTTP request of a call, without origin and credentials.
    func encode(_ call: BackendCall) -> HTTPRequest

    /// Reads the answer to a call.
    ///
    /// - Throws: ``BackendFailure``: what the server refused, or `malformed_answer` with the place
    ///   where the answer could not be read. A page with one broken message is refused as a whole:
    ///   nothing is dropped in silence.
    func decode(_ response: HTTPResponse, answering call: BackendCall) throws(BackendFailure)
        -> BackendAnswer

    // MARK: STOMP

    /// Where the events of all rooms of a person come, such as a room that is new to them.
    var roomsDestination: String { get }

    /// Where the events of a room come.
    func destination(of room: RoomID) -> String

    /// The room whose events come at a destination; `nil` where it is no room's.
    func room(at destination: String) -> RoomID?

    /// The SEND of a command; `nil` where the format has none and REST must be used.
    func encode(_ command: RoomCommand) -> WireSend?

    /// Reads the body of a MESSAGE that came at a destination.
    ///
    /// - Throws: ``WireError`` with the place. An event of an unknown type is no error; it is
    ///   `unknown`.
    func decodeEvent(_ body: ContiguousArray<UInt8>, at destination: String) throws(WireError)
        -> RoomEvent
}

/// The server's half of a wire format, the inverse of the client's.
public protocol ServerWireFormat: WireFormat {
    /// Reads the call that a request makes. Credentials are the server's business.
    ///
    /// - Throws: ``BackendFailure``: `not_found` for an unknown route, `rejected` with the place of
    ///   the fault for anything malformed.
    func decode(_ request: HTTPRequest) throws(BackendFailure) -> BackendCall

    /// The response that carries an answer, with status 200.
    func encode(_ answer: BackendAnswer, to call: BackendCall) -> HTTPResponse

    /// The response that carries a failure, with the status of its code.
    func encode(_ failure: BackendFailure) -> HTTPResponse

    /// Reads the command that a SEND makes.
    ///
    /// - Throws: ``WireError``: `unknown_destination`, or the place of the fault in the body.
    func decodeCommand(_ send: WireSend) throws(WireError) -> RoomCommand

    /// The body of a MESSAGE that carries an event.
    func encode(_ event: RoomEvent) -> ContiguousArray<UInt8>
}

/// What a STOMP SEND carries.
public struct WireSend: Hashable, Sendable {
    /// The destination header.
    public var destination: String
    /// The content-type header.
    public var contentType: String
    /// The body.
    public var body: ContiguousArray<UInt8>

    /// Creates the contents of a SEND.
    public init(
        destination: String, contentType: String = "application/json",
        body: ContiguousArray<UInt8>
    ) {
        self.destination = destination
        self.contentType = contentType
        self.body = body
    }
}
