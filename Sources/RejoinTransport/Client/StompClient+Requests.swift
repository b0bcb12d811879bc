public import Foundation

extension StompClient {
    // MARK: Messages

    /// Sends bytes.
    ///
    /// - Parameter receipt: whether to wait for the server's receipt; else the call returns when
    ///   the socket has taken the message.
    /// - Throws: ``StompClientError``. `not_connected`, `limit_reached` and `invalid_request` mean
    ///   that nothing was sent; ``StompClientError/mayHaveTakenEffect`` tells the others apart.
    public func send(
        _ destination: String, headers: StompHeaders = [], bytes: ContiguousArray<UInt8>,
        receipt: Bool = false, transaction: StompTransactionID? = nil
    ) async throws(StompClientError) {
        let send = StompSend(
            destination, headers: headers, body: bytes, wantsReceipt: receipt,
            transaction: transaction)
        try await request { .send($0, send) }
    }

    /// Sends text, as `text/plain;charset=utf-8` unless a header says otherwise.
    ///
    /// - Throws: as ``send(_:headers:bytes:receipt:transaction:)`` does.
    public func send(
        _ destination: String, headers: StompHeaders = [], text: String,
        receipt: Bool = false, transaction: StompTransactionID? = nil
    ) async throws(StompClientError) {
        try await send(
            destination, headers: Self.naming("text/plain;charset=utf-8", in: headers),
            bytes: ContiguousArray(text.utf8), receipt: receipt, transaction: transaction)
    }

    /// Sends a value as JSON, as `application/json` unless a header says otherwise.
    ///
    /// - Throws: `invalid_request` where the value cannot be encoded; else as
    ///   ``send(_:headers:bytes:receipt:transaction:)`` does.
    public func send(
        _ destination: String, headers: StompHeaders = [], json value: some Encodable,
        encoder: JSONEncoder = JSONEncoder(), receipt: Bool = false,
        transaction: StompTransactionID? = nil
    ) async throws(StompClientError) {
        let bytes: ContiguousArray<UInt8>
        do {
            bytes = ContiguousArray(try encoder.encode(value))
        } catch {
            // The encoder's own words may quote the value.
            throw StompClientError(
                .invalidRequest,
                "the value cannot be written as JSON; try its encoding alone to see where it fails")
        }
        try await send(
            destination, headers: Self.naming("application/json", in: headers), bytes: bytes,
            receipt: receipt, transaction: transaction)
    }

    private static func naming(_ type: String, in headers: StompHeaders) -> StompHeaders {
        guard !headers.contains("content-type") else { return headers }
        return StompHeaders([("content-type", type)] + headers.map { ($0.name, $0.value) })
    }

    // MARK: Acknowledgements

    /// Acknowledges a message of a subscription with ack mode `client` (with all before it) or
    /// `client-individual`.
    ///
    /// - Throws: `stale_message` where its connection has ended: the server delivers it again;
    ///   else as ``send(_:headers:bytes:receipt:transaction:)`` does.
    public func ack(
        _ message: StompMessage, receipt: Bool = false, transaction: StompTransactionID? = nil
    ) async throws(StompClientError) {
        let acknowledgement = StompAcknowledgement(
            message, transaction: transaction, wantsReceipt: receipt)
        try await request { .acknowledge($0, acknowledgement) }
    }

    /// Tells that a message could not be handled.
    ///
    /// - Throws: as ``ack(_:receipt:transaction:)`` does.
    public func nack(
        _ message: StompMessage, receipt: Bool = false, transaction: StompTransactionID? = nil
    ) async throws(StompClientError) {
        let acknowledgement = StompAcknowledgement(
            message, isPositive: false, transaction: transaction, wantsReceipt: receipt)
        try await request { .acknowledge($0, acknowledgement) }
    }

    // MARK: Transactions

    /// Begins a transaction. It ends by ``commit(_:)``, ``abort(_:)`` or with the connection, and
    /// is not replayed over the next one.
    ///
    /// - Throws: as ``send(_:headers:bytes:receipt:transaction:)`` does.
    public func begin() async throws(StompClientError) -> StompTransactionID {
        let transaction = makeTransactionID()
        try await request { .begin($0, transaction) }
        return transaction
    }

    /// Commits a transaction; returns with the server's receipt.
    ///
    /// - Throws: `transaction_ended` where it has ended already; else as
    ///   ``send(_:headers:bytes:receipt:transaction:)`` does.
    public func commit(_ transaction: StompTransactionID) async throws(StompClientError) {
        try await request { .commit($0, transaction) }
    }

    /// Aborts a transaction; returns with the server's receipt.
    ///
    /// - Throws: as ``commit(_:)`` does.
    public func abort(_ transaction: StompTransactionID) async throws(StompClientError) {
        try await request { .abort($0, transaction) }
    }
}
