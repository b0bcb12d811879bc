/// One frame (STOMP 1.2, "STOMP Frames").
public struct StompFrame: Sendable, Hashable {
    /// What it asks or tells.
    public var command: StompCommand
    /// Its headers, unescaped, in order, repeats kept.
    public var headers: StompHeaders
    /// Its body: octets, not text.
    public var body: ContiguousArray<UInt8>

    /// Creates a frame. `content-length` need not be among the headers: ``StompEncoder`` adds it.
    public init(
        _ command: StompCommand, headers: StompHeaders = [],
        body: ContiguousArray<UInt8> = []
    ) {
        self.command = command
        self.headers = headers
        self.body = body
    }

    /// Creates a frame whose body is text.
    public init(_ command: StompCommand, headers: StompHeaders = [], text: String) {
        self.init(command, headers: headers, body: ContiguousArray(text.utf8))
    }

    /// The body as text; `nil` where it is not UTF-8. O(body).
    public var bodyText: String? {
        String(validating: body, as: UTF8.self)
    }

    /// Whether the whole frame is UTF-8, so that it may travel in a TEXT message; otherwise it
    /// needs a BINARY one (RFC 6455 section 5.6). O(body), without allocation: headers always
    /// are UTF-8.
    public var isUTF8: Bool {
        body.withUnsafeBufferPointer { UTF8Check.firstInvalid(in: $0) == nil }
    }
}

extension StompFrame: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Names the command and the sizes only: headers may hold secrets, bodies hold messages.
    public var description: String {
        "\(command.rawValue) (\(headers.count) headers, \(body.count) octets of body)"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
