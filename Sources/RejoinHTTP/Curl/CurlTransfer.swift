#if canImport(CCurl)
import CCurl
import RejoinModel
import RejoinWire

/// One transfer of libcurl with what it has brought so far. Lives on the service thread; it must
/// be removed from its multi handle before it goes.
final class CurlTransfer {
    let call: CurlCall
    /// The library's handle, owned: freed with this object.
    let easy: UnsafeMutableRawPointer

    private var answer: IncomingAnswer
    /// Whether the request has started to leave, so it may have had an effect.
    private var hasBegunSending = false
    /// The header fields of the request, owned: the handle does not copy them.
    private var fields: UnsafeMutablePointer<curl_slist>?

    /// Prepares a transfer; `nil` where the library does not take the request.
    init?(_ call: CurlCall) {
        guard let easy = curl_easy_init() else { return nil }
        self.call = call
        self.easy = easy
        answer = IncomingAnswer(
            maximumBytes: call.maximumBytes, isToHead: call.request.method.rawValue == "HEAD")
        rejoin_curl_prepare(
            easy,
            rejoin_curl_callbacks(
                header: onHeaderLine, body: onBody, sends: onSending,
                // Not retained: the callbacks come while the handle is in the multi handle, and
                // as long as it is, the thread keeps this object.
                user: Unmanaged.passUnretained(self).toOpaque()))
        guard setRequest() else { return nil }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
    }

    private func setRequest() -> Bool {
        let request = call.request
        let method = request.method.rawValue
        // RFC 9110 section 8.6: these say that they have no content, others say nothing.
        let hasBody = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(method)
        for line in Self.lines(request, hasBody) {
            guard let more = curl_slist_append(fields, line) else { return false }
            fields = more
        }
        let connectTime = ContinuousClock.now.duration(to: call.deadline).wholeMillisecondsUp
        return request.body.withUnsafeBytes { body in
            // The body is copied, so its pointer does not leave the closure.
            rejoin_curl_set_request(
                easy, call.url, method, fields, hasBody ? 1 : 0, body.baseAddress, body.count,
                Int(min(max(1, connectTime), Int64(Int32.max)))) == 0
        }
    }

    /// The header fields in the library's notation, with those removed that it would add.
    private static func lines(_ request: HTTPRequest, _ hasBody: Bool) -> [String] {
        var lines = ["Expect:"]
        if hasBody, request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        for field in request.headers.fields {
            // How a message is framed is decided where it is written.
            guard !["content-length", "transfer-encoding"].contains(field.name.lowercased())
            else { continue }
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            // A name with nothing after its colon would remove the field.
            lines.append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return lines
    }

    // MARK: - What the library calls

    /// Whether the request may leave. The library comes a second time where a kept connection ended
    /// without a byte; what is not idempotent must not be sent twice, for the first may have
    /// arrived.
    fileprivate func beginsSending() -> Bool {
        guard hasBegunSending else {
            hasBegunSending = true
            return true
        }
        return ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
            .contains(call.request.method.rawValue)
    }

    fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        answer.takeHeader(line)
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        answer.takeBody(bytes)
    }

    // MARK: - How it ended

    /// The outcome of a transfer that the library has ended.
    func outcome(_ result: CURLcode) -> CurlCall.Outcome {
        if let refusal = answer.refusal { return .failure(refusal) }
        guard result == CURLE_OK else { return .failure(failure(result)) }
        // The library takes an end in the middle of the header for an end of the answer.
        return answer.response.map { .success($0) }
            ?? .failure(lost("the connection ended before the answer's header was complete"))
    }

    /// The failure of a request that has no answer. What has begun to leave counts as unknown,
    /// because a message sent twice is worse than a question asked twice.
    func lost(_ message: String) -> BackendFailure {
        BackendFailure(hasBegunSending ? .outcomeUnknown : .unreachable, message)
    }

    /// What a failed transfer says. The library's own text is not taken over: it may hold the host
    /// and the URL.
    private func failure(_ result: CURLcode) -> BackendFailure {
        let number = "libcurl \(result.rawValue)"
        guard !hasBegunSending else {
            if result == CURLE_UNSUPPORTED_PROTOCOL || result == CURLE_BAD_CONTENT_ENCODING {
                return BackendFailure(
                    .malformedAnswer, "the answer is no HTTP/1.1, or its encoding is broken")
            }
            return lost("the connection was lost (\(number))")
        }
        switch result {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return BackendFailure(.rejected, "the origin and the path make no URL (\(number))")
        case CURLE_COULDNT_RESOLVE_HOST: return lost("the server's name was not found (\(number))")
        case CURLE_COULDNT_CONNECT: return lost("the server took no connection (\(number))")
        case CURLE_OPERATION_TIMEDOUT: return lost("no connection came about in time (\(number))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            return lost("no secure connection came about (\(number))")
        default: return lost("the request could not be sent (\(number))")
        }
    }
}

// What libcurl hands back to its callbacks is the pointer that was given to it.
private func transfer(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
    // The handle does not own the object; the thread keeps it alive as long as callbacks come.
    user.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let onHeaderLine:
    @convention(c) (
        UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { bytes, _, length, user in
        // The library's own buffer, read within the call.
        let line = UnsafeRawBufferPointer(start: bytes, count: length)
        return transfer(user)?.takeHeader(line) == true ? length : -1
    }

private let onBody:
    @convention(c) (
        UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int = { bytes, _, length, user in
        // The library's own buffer, read within the call.
        let part = UnsafeRawBufferPointer(start: bytes, count: length)
        return transfer(user)?.takeBody(part) == true ? length : -1
    }

private let onSending:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?,
        Int32, Int32
    ) -> Int32 = { user, _, _, _, _ in
        // The addresses are not of interest.
        transfer(user)?.beginsSending() == true ? 0 : 1
    }
#endif
