public import RejoinJSON
public import RejoinModel

/// The client's half of a wire format: how calls, answers, commands and events look on the wire.
///
/// Everything has a default, and the defaults together are the reference format. A host with
/// another protocol overrides what differs, from the small to the large:
///
/// - *Values*: how an ID, a member, a message and its content look. The envelopes around them
///   (pages, summaries, change feed) follow.
/// - *STOMP*: destinations, commands and events.
/// - *REST*: ``apiPath``, or the requests and answers as a whole.
///
/// `RejoinContracts` checks a format: what it writes it must read.
public protocol WireFormat: Sendable {
    // MARK: Values

    /// The text of a message ID in paths, queries and JSON strings. Default: decimal.
    func text(of id: MessageID) -> String

    /// The message ID of a text, the inverse of ``text(of:)``; `nil` where it is none.
    func messageID(_ text: String) -> MessageID?

    /// Reads a message ID. Default: a JSON string or integer whose text is a message ID.
    func readMessageID(_ reader: inout JSONReader) throws(JSONError) -> MessageID

    /// Writes a message ID. Default: a JSON string, because many readers round integers above 2^53.
    func write(_ id: MessageID, to writer: inout JSONWriter)

    /// Reads a message, and its author where the format writes it beside the message.
    func readMessage(_ reader: inout JSONReader) throws(JSONError) -> (
        message: Message, author: Member?
    )

    /// Reads a person.
    func readMember(_ reader: inout JSONReader) throws(JSONError) -> Member

    /// Reads the content of a message.
    func readContent(_ reader: inout JSONReader) throws(JSONError) -> [ContentBlock]

    /// Writes the content of a message.
    func write(_ content: [ContentBlock], to writer: inout JSONWriter)

    /// What is read from a peer at most.
    var limits: JSONLimits { get }

    // MARK: REST

    /// What stands before the paths of all calls. Default: `/v1`.
    var apiPath: String { get }

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
    // MARK: Values

    /// Writes a message; `author` is given where it is known, for formats that write it beside the
    /// message. Default: the message alone.
    func write(_ message: Message, author: Member?, to writer: inout JSONWriter)

    /// Writes a person.
    func write(_ member: Member, to writer: inout JSONWriter)

    // MARK: REST

    /// Reads the call that a request makes. Credentials are the server's business.
    ///
    /// - Throws: ``BackendFailure``: `not_found` for an unknown route, `method_not_allowed` for an
    ///   unknown method on a known one, `too_large`, or `rejected` with the place of the fault for
    ///   anything malformed.
    func decode(_ request: HTTPRequest) throws(BackendFailure) -> BackendCall

    /// The response that carries an answer, with status 200.
    func encode(_ answer: BackendAnswer, to call: BackendCall) -> HTTPResponse

    /// The response that carries a failure, with the status of its code.
    func encode(_ failure: BackendFailure) -> HTTPResponse

    // MARK: STOMP

    /// Reads the command that a SEND makes.
    ///
    /// - Throws: ``WireError``: `unknown_destination`, or the place of the fault in the body.
    func decodeCommand(_ send: WireSend) throws(WireError) -> RoomCommand

    /// The body of a MESSAGE that carries an event.
    func encode(_ event: RoomEvent) -> ContiguousArray<UInt8>
}
