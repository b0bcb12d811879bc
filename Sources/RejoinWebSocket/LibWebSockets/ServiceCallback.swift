#if os(Linux)
import CLibWebSockets
import Foundation
import RejoinTransport

/// The function that libwebsockets calls for everything, always on the service thread.
let serviceCallback:
    @convention(c) (
        OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?,
        UnsafeMutableRawPointer?,
        Int
    ) -> Int32 = { socket, reason, user, input, length in
        guard let socket, let context = lws_get_context(socket),
            let owner = lws_context_user(context)
        else { return 0 }
        // The context does not own the object; `ServiceThread.run` keeps it alive longer.
        let thread = Unmanaged<ServiceThread>.fromOpaque(owner).takeUnretainedValue()
        return thread.handle(socket, reason, user, UnsafeRawPointer(input), input, length)
    }

extension ServiceThread {
    /// Turns a call of the library into an input of the connection's core.
    ///
    /// - Returns: Nonzero where the library shall close the connection.
    fileprivate func handle(
        _ socket: OpaquePointer, _ reason: lws_callback_reasons,
        _ user: UnsafeMutableRawPointer?,
        _ input: UnsafeRawPointer?, _ mutableInput: UnsafeMutableRawPointer?, _ length: Int
    ) -> Int32 {
        let id = rejoin_client_identifier(socket)
        guard id != 0, let record = records[id] else { return 0 }
        switch reason {
        case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
            noteCertificate(id, store: user, isAccepted: length != 0)
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
            records[id]?.hasSentRequest = true
            return appendHeaders(record.attempt.request.headers, mutableInput, length)
        case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
            readRefusal(id, socket)
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
            records[id]?.takeBody(UnsafeRawBufferPointer(start: input, count: length))
        case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
            records[id]?.bodyIsComplete = true
            // Keeps the library from reusing the connection for another request.
            return -1
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
            records[id]?.subprotocol = header(WSI_TOKEN_PROTOCOL, socket)
        case LWS_CALLBACK_CLIENT_ESTABLISHED:
            record.link.open(subprotocol: record.subprotocol)
            attend(id)
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
            let text = UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length)
            record.link.handle(
                .failed(record.openingError(libraryText: String(decoding: text, as: UTF8.self)))
            )
        case LWS_CALLBACK_CLIENT_RECEIVE:
            return take(record, socket, UnsafeRawBufferPointer(start: input, count: length))
        case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
            if let number = pingNumber(UnsafeRawBufferPointer(start: input, count: length)) {
                record.link.handle(.pong(number))
            }
        case LWS_CALLBACK_CLIENT_WRITEABLE:
            return write(id, socket)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            let payload = UnsafeRawBufferPointer(start: input, count: length)
            record.link.handle(peerClose(payload))
        case LWS_CALLBACK_TIMER:
            // The closing handshake has taken too long.
            record.link.handle(.gone)
            return -1
        case LWS_CALLBACK_CLIENT_CLOSED:
            record.link.handle(.gone)
        case LWS_CALLBACK_WSI_DESTROY:
            records[id] = nil
            record.link.handle(.gone)
        default:
            // The library has some ninety reasons; the others are no concern of a client.
            break
        }
        return 0
    }

    private func noteCertificate(
        _ id: UInt, store: UnsafeMutableRawPointer?, isAccepted: Bool
    ) {
        guard !isAccepted, let store else { return }
        records[id]?.certificateError = CertificateError(
            code: rejoin_client_verify_error(store))
    }

    /// Writes the header fields where the library points. They have been checked for line
    /// breaks and for their size before.
    private func appendHeaders(
        _ fields: [WebSocketRequest.HeaderField], _ cursor: UnsafeMutableRawPointer?,
        _ room: Int
    ) -> Int32 {
        guard let cursor else { return -1 }
        let lines = fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }
        guard lines.count <= room else { return -1 }
        // The library passes the address of its write position, to be moved on.
        let position = cursor.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>.self)
        lines.withUnsafeBufferPointer { lines in
            guard let base = lines.baseAddress else { return }
            position.pointee.update(from: base, count: lines.count)
        }
        position.pointee += lines.count
        return 0
    }

    private func take(
        _ record: Record, _ socket: OpaquePointer, _ bytes: UnsafeRawBufferPointer
    ) -> Int32 {
        let part = ConnectionCore.MessagePart(
            isFirst: lws_is_first_fragment(socket) != 0,
            isFinal: lws_is_final_fragment(socket) != 0,
            isBinary: lws_frame_is_binary(socket) != 0,
            remainingInFrame: UInt64(lws_remaining_packet_payload(socket)))
        record.link.take(part, bytes)
        // Pausing must take effect before the library goes on with what it has read.
        attend(record.link.id)
        return 0
    }

    private func pingNumber(_ payload: UnsafeRawBufferPointer) -> UInt64? {
        guard payload.count == 8 else { return nil }
        return payload.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func peerClose(_ payload: UnsafeRawBufferPointer) -> ConnectionCore.Input {
        guard payload.count >= 2 else { return .peerClosed(CloseCode.noneGiven, "") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        return .peerClosed(code, String(decoding: payload.dropFirst(2), as: UTF8.self))
    }

    // MARK: - Refused upgrades

    /// Keeps status, `Retry-After` and body of an answer other than 101.
    ///
    /// This call is the only moment at which the library lets a client read a body, and it
    /// comes with the header's last byte. What is still under way is waited for, shortly.
    private func readRefusal(_ id: UInt, _ socket: OpaquePointer) {
        let status = Int(lws_http_client_http_response(socket))
        guard status != 101 else { return }
        var refusal = UpgradeRefusal(status: status)
        refusal.retryAfterValue = header(WSI_TOKEN_HTTP_RETRY_AFTER, socket)
        records[id]?.refusal = refusal
        let declared = header(WSI_TOKEN_HTTP_CONTENT_LENGTH, socket)
        guard declared != "0", status != 204, status != 304 else { return }
        let deadline = ContinuousClock.now + .milliseconds(200)
        while let record = records[id], !record.hasWholeBody {
            let before = record.refusal?.body.count
            // A null buffer makes the library use its own.
            var buffer: UnsafeMutablePointer<CChar>?
            var count: Int32 = 0
            guard lws_http_client_read(socket, &buffer, &count) == 0 else { return }
            guard records[id]?.refusal?.body.count == before else { continue }
            let left = deadline - .now
            guard left > .zero else { return }
            let milliseconds = Int32(left / .milliseconds(1)) + 1
            guard rejoin_client_wait_readable(socket, milliseconds) != 0 else { return }
        }
    }

    private func header(_ token: lws_token_indexes, _ socket: OpaquePointer) -> String? {
        let length = Int(lws_hdr_total_length(socket, token))
        guard length > 0 else { return nil }
        var value = [CChar](repeating: 0, count: length + 1)
        guard lws_hdr_copy(socket, &value, Int32(value.count), token) > 0 else { return nil }
        return String(
            decoding: value.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension ServiceThread.Record {
    /// Whether there is nothing more to read of a refusal's body, or no room for it.
    fileprivate var hasWholeBody: Bool {
        bodyIsComplete || (refusal?.body.count ?? 0) >= UpgradeRefusal.maximumBodyBytes
    }

    fileprivate mutating func takeBody(_ bytes: UnsafeRawBufferPointer) {
        guard let held = refusal?.body.count else { return }
        refusal?.body.append(contentsOf: bytes.prefix(UpgradeRefusal.maximumBodyBytes - held))
    }
}
#endif
