/// A MESSAGE that came over a subscription.
public struct StompMessage: Hashable, Sendable {
    /// The connection over which it came; it can be acknowledged only there.
    public let epoch: ConnectionEpoch
    /// The subscription. Messages are routed by it, never by ``destination``: brokers rewrite
    /// destinations.
    public let subscription: StompSubscriptionKey
    /// The frame: headers unescaped and in order, body untouched.
    public let frame: StompFrame

    package init(
        epoch: ConnectionEpoch, subscription: StompSubscriptionKey, frame: StompFrame
    ) {
        self.epoch = epoch
        self.subscription = subscription
        self.frame = frame
    }

    /// Where the broker says it was sent to.
    public var destination: String? { frame.headers["destination"] }
    /// The broker's name for this delivery.
    public var messageID: String? { frame.headers["message-id"] }
    /// The body's media type.
    public var contentType: String? { frame.headers["content-type"] }
    /// The body, byte for byte.
    public var body: ContiguousArray<UInt8> { frame.body }
    /// The body as text; `nil` where it is not UTF-8.
    ///
    /// - Complexity: O(*n*) in the body's length.
    public var text: String? { String(validating: frame.body, as: UTF8.self) }
}

/// A SEND that the host asks for.
public struct StompSend: Hashable, Sendable {
    /// The destination, such as `/pub/chat/message`.
    public var destination: String
    /// Further headers. `destination`, `content-length`, `receipt` and `transaction` are the
    /// session's own and refused here.
    public var headers: StompHeaders
    /// The body.
    public var body: ContiguousArray<UInt8>
    /// Whether to wait for the server's receipt.
    public var wantsReceipt: Bool
    /// The transaction that it belongs to. In a transaction many brokers send the receipt only
    /// after the commit.
    public var transaction: StompTransactionID?

    /// Creates a SEND.
    public init(
        _ destination: String, headers: StompHeaders = [], body: ContiguousArray<UInt8>,
        wantsReceipt: Bool = false, transaction: StompTransactionID? = nil
    ) {
        self.destination = destination
        self.headers = headers
        self.body = body
        self.wantsReceipt = wantsReceipt
        self.transaction = transaction
    }
}

/// An ACK or NACK that the host asks for.
public struct StompAcknowledgement: Hashable, Sendable {
    /// What is acknowledged.
    public var message: StompMessage
    /// `false` makes it a NACK.
    public var isPositive: Bool
    /// The transaction that it belongs to.
    public var transaction: StompTransactionID?
    /// Whether to wait for the server's receipt.
    public var wantsReceipt: Bool

    /// Creates an acknowledgement.
    public init(
        _ message: StompMessage, isPositive: Bool = true, transaction: StompTransactionID? = nil,
        wantsReceipt: Bool = false
    ) {
        self.message = message
        self.isPositive = isPositive
        self.transaction = transaction
        self.wantsReceipt = wantsReceipt
    }
}
