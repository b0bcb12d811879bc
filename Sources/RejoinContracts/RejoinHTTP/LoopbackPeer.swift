import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A peer on the loopback interface that follows a script, so that each way in which a connection
/// can end is provoked and not waited for.
package final class LoopbackPeer: Sendable {
    /// What the peer does on one connection, step by step.
    package enum Step: Sendable {
        /// Reads a whole HTTP request.
        case readRequest
        /// Sends bytes.
        case send(String)
        /// Does nothing until the other side hangs up.
        case hold
        /// Ends the connection with RST.
        case reset
    }

    /// The port on 127.0.0.1.
    package let port: UInt16
    /// The requests, as they come.
    package let requests: AsyncStream<String>

    private let listener: Listener

    /// Starts a peer that serves one connection after the other with the scripts, then stops
    /// taking any. The connection is closed at the end of its script.
    package init(_ scripts: [[Step]]) throws {
        let (descriptor, port) = try LoopbackSocket.bound()
        let listener = Listener(descriptor)
        self.listener = listener
        self.port = port
        guard listen(descriptor, 16) == 0 else { throw POSIXError(.EIO) }
        let (requests, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(64))
        self.requests = requests
        let thread = Thread {
            for script in scripts {
                guard let connection = listener.next() else { break }
                LoopbackSocket.run(script, on: connection) { continuation.yield($0) }
            }
            listener.release()
            continuation.finish()
        }
        thread.start()
    }

    deinit { stop() }

    /// The origin of the peer.
    package var origin: String { "http://127.0.0.1:\(port)" }

    /// Takes no more connections.
    package func stop() {
        listener.stop()
    }
}

/// A listening socket between the thread that takes its connections and whoever stops it.
///
/// The second of the two closes it. Were it closed while the thread waits, its number would go to
/// the next socket of this process, and the thread would take that one's connections.
private final class Listener: Sendable {
    private struct State {
        var isStopped = false
        var isReleased = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next connection; `nil` once it is stopped.
    func next() -> Int32? {
        while !state.withLock({ $0.isStopped }) {
            // A stop does not wake `accept` everywhere.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let connection = accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
        }
        return nil
    }

    /// The thread wants no more.
    func release() {
        state.withLock { state in
            state.isReleased = true
            if state.isStopped { close(descriptor) }
        }
    }

    /// Nobody is to come any more.
    func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(descriptor, Int32(SHUT_RDWR))
            if state.isReleased { close(descriptor) }
        }
    }
}

/// A port on 127.0.0.1 that is taken, so that nobody else gets it, and at which nobody listens.
package final class RefusingPort: Sendable {
    private let socket: Int32
    private let port: UInt16

    /// Takes a free port.
    package init() throws {
        (socket, port) = try LoopbackSocket.bound()
    }

    deinit { close(socket) }

    /// The origin at which connections are refused.
    package var origin: String { "http://127.0.0.1:\(port)" }
}

private enum LoopbackSocket {
    /// A socket that is bound to a free port on 127.0.0.1.
    static func bound() throws -> (socket: Int32, port: UInt16) {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The socket functions take addresses of any family by a pointer to their common head.
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { head in
                bind(descriptor, head, length) == 0 ? getsockname(descriptor, head, &length) : -1
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw POSIXError(.EADDRNOTAVAIL)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func run(
        _ script: [LoopbackPeer.Step], on connection: Int32, received: (String) -> Void
    ) {
        // A test that fails must not hang.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            connection, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        for step in script {
            switch step {
            case .readRequest: if let request = readRequest(connection) { received(request) }
            case .send(let text): sendAll(Array(text.utf8), to: connection)
            case .hold: while !readSome(connection).isEmpty {}
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    connection, SOL_SOCKET, SO_LINGER, &linger,
                    socklen_t(MemoryLayout<linger>.size))
            }
        }
        close(connection)
    }

    private static func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased()
                let length = head.split(separator: "\r\n")
                    .first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let more = readSome(connection)
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }

    private static func readSome(_ connection: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            // The pointer is the buffer's own and used within the call.
            count = max(0, recv(connection, buffer.baseAddress, buffer.count, 0))
        }
    }

    private static func sendAll(_ bytes: [UInt8], to connection: Int32) {
        #if canImport(Darwin)
        let flags: Int32 = 0
        var on: Int32 = 1
        setsockopt(
            connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            // The pointer is the slice's own and used within the call.
            let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
