#if os(Linux)
import CLibWebSockets
import RejoinModel
import RejoinTime
import RejoinWire

extension ServerEngine {
    /// The header section of a request is there.
    func requestCame(on connection: Connection) -> Int32 {
        let reader = RequestReader(wsi: connection.wsi)
        // A body must announce its length: chunks are not read, and libwebsockets takes a
        // method that may have a body, without a length, for an endless one.
        let lengthText = reader.header(WSI_TOKEN_HTTP_CONTENT_LENGTH)
        let length = lengthText.flatMap { UInt32($0) }
        guard let request = reader.request() else {
            return refuse(.notFound, "there is no such route", on: connection, closing: true)
        }
        guard reader.header(WSI_TOKEN_HTTP_TRANSFER_ENCODING) == nil,
            lengthText == nil || length != nil
        else {
            return refuse(
                .rejected, "the body needs a content-length that is a number",
                on: connection, closing: true)
        }
        guard Int(length ?? 0) <= configuration.limits.bodyBytes else {
            return refuse(
                .tooLarge, "a body has at most \(configuration.limits.bodyBytes) bytes",
                on: connection, closing: true)
        }
        guard !isStopping else {
            return write(overload, on: connection, closing: true)
        }
        let mayHaveBody = ["POST", "PUT", "PATCH"].contains(request.method.rawValue)
        let principal: Result<Principal, BackendFailure>
        do throws(BackendFailure) {
            let known = try self.principal(of: reader.token)
            try checkRate(of: known.user)
            principal = .success(known)
        } catch {
            principal = .failure(error)
        }
        if let length, length > 0 || request.method == .post {
            let deadline = time.now + configuration.limits.requestTimeout
            connection.exchange = .receiving(request, principal, by: deadline)
            return 0
        }
        return answer(request, by: principal, on: connection, closing: mayHaveBody && length == nil)
    }

    /// A piece of the body is there; its whole size was checked at the start.
    func bodyCame(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Int32 {
        guard case .receiving(var request, let principal, let deadline) = connection.exchange
        else { return 0 }
        // libwebsockets starts its own time limit anew with each piece.
        guard time.now < deadline else { return -1 }
        // libwebsockets loses its place where a request with a body was pipelined: it gives the
        // request's own first line as the body, and then spins. A client that pipelines must be
        // ready to repeat on a new connection (RFC 9112 section 9.3.2).
        let line = "\(request.method.rawValue) /".utf8
        let isMisplaced = !bytes.isEmpty && zip(bytes, line).allSatisfy(==)
        guard !isMisplaced || !request.body.isEmpty else { return -1 }
        guard case .success = principal else { return 0 }
        connection.exchange = .idle
        request.body.append(contentsOf: bytes)
        connection.exchange = .receiving(request, principal, by: deadline)
        return 0
    }

    /// The body is complete.
    func bodyEnded(on connection: Connection) -> Int32 {
        guard case .receiving(let request, let principal, _) = connection.exchange else {
            // Of a request that waits for its answer, so another one is pipelined behind it:
            // libwebsockets would repeat this call for ever.
            if case .waiting = connection.exchange { return -1 }
            return 0
        }
        return answer(request, by: principal, on: connection, closing: false)
    }

    /// The response of a request that had to wait can be written.
    func responseMayGo(on connection: Connection) -> Int32 {
        guard case .ready(let response) = connection.exchange else { return 0 }
        return write(response, on: connection, closing: isStopping)
    }

    /// What came is no request that libwebsockets knows; without this it would answer with a page,
    /// and to CONNECT not at all.
    ///
    /// The connection ends with the answer, but not at once: bytes that were not read would reset
    /// it, and the answer with it (RFC 9112 section 9.6).
    func strangerSpoke(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> Int32 {
        guard !connection.isTurnedAway else { return 0 }
        connection.isTurnedAway = true
        let failure =
            RequestReader.beginsWithMethod(bytes)
            ? BackendFailure(
                .methodNotImplemented,
                "this method is not known here; the methods are GET, POST, PUT, PATCH and DELETE")
            : BackendFailure(.rejected, "this is no HTTP request")
        guard ResponseWriter.send(response(to: failure), to: connection.wsi, closing: true) else {
            return -1
        }
        rejoin_server_end_writing(
            connection.wsi,
            Int32(clamping: max(1, configuration.limits.requestTimeout.components.seconds)))
        return 0
    }

    // MARK: Answers

    private func answer(
        _ request: HTTPRequest, by principal: Result<Principal, BackendFailure>,
        on connection: Connection, closing: Bool
    ) -> Int32 {
        do throws(BackendFailure) {
            let principal = try principal.get()
            let call = try configuration.format.decode(request)
            if case .send(let room, let draft) = call, late != nil {
                return try answerLater(
                    draft, in: room, by: principal.user, on: connection, closing: closing)
            }
            let outcome = try core.perform(call, by: principal.user, at: time.wallNow)
            let response = configuration.format.encode(outcome.answer, to: call)
            // The answer first: whoever asked should not wait for the room's fan-out.
            let result = write(response, on: connection, closing: closing)
            publish(outcome.events)
            return result
        } catch {
            var response = response(to: error)
            if error.code == .methodNotAllowed {
                response.headers["allow"] = allowedMethods(at: request)
            }
            // RFC 9110 section 9.3.2: a body would be taken for the next response.
            if request.method.rawValue == "HEAD" { response.body = [] }
            return write(response, on: connection, closing: closing)
        }
    }

    /// RFC 9110 section 15.5.6: the methods that the path has.
    private func allowedMethods(at request: HTTPRequest) -> String {
        let methods = [HTTPMethod.get, .post, .put, .patch, .delete].filter { method in
            var other = request
            other.method = method
            do throws(BackendFailure) {
                _ = try configuration.format.decode(other)
                return true
            } catch {
                return error.code != .methodNotAllowed
            }
        }
        return methods.map(\.rawValue).joined(separator: ", ")
    }

    private func answerLater(
        _ draft: MessageDraft, in room: RoomID, by user: UserID, on connection: Connection,
        closing: Bool
    ) throws(BackendFailure) -> Int32 {
        switch try holdBack(draft, in: room, by: user, for: .exchange(connection)) {
        case .repeated(let message):
            let call = BackendCall.send(room, draft)
            return write(
                configuration.format.encode(.message(message), to: call), on: connection,
                closing: closing)
        case .new:
            connection.exchange = .waiting
            rejoin_server_clear_timeout(connection.wsi)
            return 0
        }
    }

    /// Tells a request that waited.
    func complete(
        _ connection: Connection, with result: Result<Message, BackendFailure>,
        to call: BackendCall
    ) {
        guard connections[connection.wsi] === connection, case .waiting = connection.exchange
        else { return }
        let response =
            switch result {
            case .success(let message): configuration.format.encode(.message(message), to: call)
            case .failure(let failure): self.response(to: failure)
            }
        connection.exchange = .ready(response)
        lws_callback_on_writable(connection.wsi)
    }

    /// The response that carries a failure, with the time to wait where there is one.
    func response(to failure: BackendFailure) -> HTTPResponse {
        var response = configuration.format.encode(failure)
        if let wait = failure.retryAfter, response.headers["retry-after"] == nil {
            response.headers["retry-after"] = "\(RetryAfter.seconds(wait))"
        }
        return response
    }

    /// 503: come back when the server is up again.
    var overload: HTTPResponse {
        var response = response(
            to: BackendFailure(
                .rateLimited, "the server stops; come back in a moment",
                retryAfter: .seconds(1)))
        response.status = 503
        return response
    }

    private func refuse(
        _ code: BackendFailure.Code, _ text: String, on connection: Connection, closing: Bool
    ) -> Int32 {
        write(response(to: BackendFailure(code, text)), on: connection, closing: closing)
    }

    private func write(_ response: HTTPResponse, on connection: Connection, closing: Bool)
        -> Int32
    {
        connection.exchange = .idle
        return ResponseWriter.write(response, to: connection.wsi, closing: closing)
    }
}
#endif
