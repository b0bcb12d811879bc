#if os(Linux)
import Foundation
import RejoinServer
import RejoinTransport
import RejoinWebSocket
import RejoinWire
import Testing

/// The connector against the project's own server, in plain text and under TLS.
@Suite("libwebsockets against the reference server")
struct ReferenceServerSocketTests {
    /// A server that runs for the length of `body`.
    private func withServer(
        certificate: String? = nil, limits: ServerLimits = ServerLimits(),
        _ body: (_ port: UInt16, _ directory: URL) async throws -> Void
    ) async throws {
        try await withServer(certificate: certificate, limits: limits) { _, port, directory in
            try await body(port, directory)
        }
    }

    private func withServer(
        certificate: String? = nil, limits: ServerLimits = ServerLimits(),
        _ body: (_ server: ReferenceServer, _ port: UInt16, _ directory: URL) async throws
            -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-websocket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var tls: TLSFiles?
        try TestCertificates.authority.write(
            to: directory.appending(path: "authority.pem"), atomically: true, encoding: .utf8)
        if let certificate {
            let files = TLSFiles(
                certificate: directory.appending(path: "server.pem").path,
                privateKey: directory.appending(path: "server.key").path)
            try certificate.write(toFile: files.certificate, atomically: true, encoding: .utf8)
            try TestCertificates.key.write(
                toFile: files.privateKey, atomically: true, encoding: .utf8)
            tls = files
        }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory.path, secret: .random(), format: ReferenceFormat(),
                tls: tls, limits: limits))
        let port = try await server.start()
        do {
            try await body(server, port, directory)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private let connectFrame = WebSocketMessage.text(
        ContiguousArray("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0".utf8))

    /// What opening ends in.
    private func failure(
        _ connector: LibWebSocketsConnector, _ request: WebSocketRequest
    ) async -> WebSocketError? {
        do throws(WebSocketError) {
            (try await connector.connect(request)).abandon()
            return nil
        } catch {
            return error
        }
    }

    @Test("R-41: the server chooses among the offered versions, and answers CONNECT")
    func plain() async throws {
        try await withServer { port, _ in
            let connection = try await LibWebSocketsConnector().connect(
                WebSocketRequest(
                    url: "ws://localhost:\(port)/ws", subprotocols: ["v12.stomp", "v11.stomp"]))
            #expect(connection.subprotocol == "v12.stomp")
            try await connection.ping()
            try await connection.send(connectFrame)
            // No token: an ERROR frame, then a closing handshake or none; both are an answer.
            let answer = try await connection.receive()
            #expect(answer.bytes.starts(with: "ERROR".utf8))
            await connection.close(code: 1000, reason: "", timeout: .seconds(5))
        }
    }

    @Test("R-13: a bad token is refused with 401 and its code, a wrong path with 404")
    func refusals() async throws {
        try await withServer { port, _ in
            let connector = LibWebSocketsConnector()
            let unauthorised = await failure(
                connector,
                WebSocketRequest(
                    url: "ws://127.0.0.1:\(port)/ws",
                    headers: [.init("Authorization", "Bearer hunter2")],
                    subprotocols: ["v12.stomp"]))
            #expect(unauthorised?.code == .upgradeRefused)
            #expect(unauthorised?.httpStatus == 401)
            let body = String(decoding: unauthorised?.body ?? [], as: UTF8.self)
            #expect(body.contains("token_invalid"), "\(body)")
            #expect("\(String(describing: unauthorised))".contains("hunter2") == false)
            let missing = await failure(
                connector, WebSocketRequest(url: "ws://127.0.0.1:\(port)/nowhere"))
            #expect(missing?.httpStatus == 404)
        }
    }

    @Test("a private authority's certificate is accepted where the authority is given")
    func trusted() async throws {
        try await withServer(certificate: TestCertificates.localhost) { port, directory in
            let connector = LibWebSocketsConnector(
                certificateAuthorities: directory.appending(path: "authority.pem").path)
            for host in ["localhost", "127.0.0.1"] {
                let connection = try await connector.connect(
                    WebSocketRequest(
                        url: "wss://\(host):\(port)/ws", subprotocols: ["v12.stomp"]))
                #expect(connection.subprotocol == "v12.stomp")
                try await connection.ping()
                try await connection.send(connectFrame)
                #expect(try await connection.receive().bytes.starts(with: "ERROR".utf8))
                await connection.close(code: 1000, reason: "", timeout: .seconds(5))
            }
        }
    }

    @Test("an unknown authority's certificate is refused")
    func untrusted() async throws {
        try await withServer(certificate: TestCertificates.localhost) { port, _ in
            let error = await failure(
                LibWebSocketsConnector(), WebSocketRequest(url: "wss://localhost:\(port)/ws"))
            #expect(error?.code == .tlsFailed)
            #expect(error?.message.contains("not trusted") == true)
        }
    }

    @Test("an expired certificate is refused")
    func expired() async throws {
        try await withServer(certificate: TestCertificates.expired) { port, directory in
            let connector = LibWebSocketsConnector(
                certificateAuthorities: directory.appending(path: "authority.pem").path)
            let error = await failure(
                connector, WebSocketRequest(url: "wss://localhost:\(port)/ws"))
            #expect(error?.code == .tlsFailed)
            #expect(error?.message.contains("expired") == true)
        }
    }

    @Test("a certificate for another host is refused")
    func otherHost() async throws {
        try await withServer(certificate: TestCertificates.otherHost) { port, directory in
            let connector = LibWebSocketsConnector(
                certificateAuthorities: directory.appending(path: "authority.pem").path)
            for host in ["localhost", "127.0.0.1"] {
                let error = await failure(
                    connector, WebSocketRequest(url: "wss://\(host):\(port)/ws"))
                #expect(error?.code == .tlsFailed)
                #expect(
                    error?.message.contains("another host") == true,
                    "\(host): \(error?.message ?? "")")
            }
        }
    }

    @Test("TLS to a plain server, and plain text to a TLS server, fail with a typed error")
    func mixedUp() async throws {
        try await withServer { port, _ in
            let error = await failure(
                LibWebSocketsConnector(),
                WebSocketRequest(url: "wss://localhost:\(port)/ws", timeout: .seconds(5)))
            #expect(error?.code == .tlsFailed)
        }
        try await withServer(certificate: TestCertificates.localhost) { port, _ in
            let error = await failure(
                LibWebSocketsConnector(),
                WebSocketRequest(url: "ws://localhost:\(port)/ws", timeout: .seconds(5)))
            #expect(error != nil)
        }
    }

    @Test(
        "R-43: a message of 16 MiB arrives in fragments; one beyond the server's limit ends it")
    func large() async throws {
        // A frame before CONNECT is a protocol fault: the answer shows that it was read.
        let head = ContiguousArray("SEND\ndestination:/pub/chat/message\n\n".utf8)
        let message = WebSocketMessage.binary(
            head + ContiguousArray(repeating: 0x61, count: (16 << 20) - head.count - 1) + [0])
        try await withServer(limits: ServerLimits(contentBytes: 17 << 20)) { port, _ in
            let connection = try await LibWebSocketsConnector().connect(
                WebSocketRequest(url: "ws://127.0.0.1:\(port)/ws", subprotocols: ["v12.stomp"]))
            try await connection.send(message)
            #expect(try await connection.receive().bytes.starts(with: "ERROR".utf8))
            connection.abandon()
        }
        try await withServer { port, _ in
            let connection = try await LibWebSocketsConnector().connect(
                WebSocketRequest(url: "ws://127.0.0.1:\(port)/ws", subprotocols: ["v12.stomp"]))
            let error = await #expect(throws: WebSocketError.self) {
                try await connection.send(message)
                while true { _ = try await connection.receive() }
            }
            #expect(error?.code == .closed)
        }
    }

    @Test("R-10: a server that is killed leaves without a closing handshake")
    func killed() async throws {
        try await withServer { server, port, _ in
            let connection = try await LibWebSocketsConnector().connect(
                WebSocketRequest(url: "ws://127.0.0.1:\(port)/ws", subprotocols: ["v12.stomp"]))
            await server.kill()
            let error = await #expect(throws: WebSocketError.self) {
                try await connection.receive()
            }
            #expect(error?.code == .closed)
            #expect(error?.closeCode == 1006)
        }
    }

    @Test("a server that stops closes with a code")
    func stopping() async throws {
        var held: (any WebSocketConnection)?
        try await withServer { port, _ in
            held = try await LibWebSocketsConnector().connect(
                WebSocketRequest(
                    url: "ws://127.0.0.1:\(port)/ws", subprotocols: ["v12.stomp"]))
        }
        let connection = try #require(held)
        let error = await #expect(throws: WebSocketError.self) {
            try await connection.receive()
        }
        #expect(error?.code == .closed)
        #expect(error?.closeCode == 1001)
    }
}
#endif
