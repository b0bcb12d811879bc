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
