import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A ``WebSocketPeer`` on the loopback interface, written on bare sockets so that it can break
/// every rule. The path of the URL chooses the behaviour; each connection has a thread.
public final class LoopbackWebSocketPeer: WebSocketPeer {
    /// The port that the system chose.
    public let port: UInt16

    private struct State {
        var isStopped = false
        var live: [Int: PeerSocket] = [:]
        var lastID = 0
        var observations: [WebSocketPeerBehaviour: WebSocketPeerObservation] = [:]
        var hadToWait: Set<WebSocketPeerBehaviour> = []
        var busy: [WebSocketPeerBehaviour: Int] = [:]
        var waiting: [(WebSocketPeerBehaviour, CheckedContinuation<Void, Never>)] = []
    }

    private let listener: Int32
    private let state = Mutex(State())

    /// Begins to listen on a free port of 127.0.0.1.
    ///
    /// - Throws: ``LoopbackPeerError`` where no socket can be opened.
    public init() throws {
        #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The socket calls take the general address type; both are plain C structures.
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                bind(listener, general, length) != 0 || listen(listener, 64) != 0
                    || getsockname(listener, general, &length) != 0
            }
        }
        guard listener >= 0, !failed else { throw LoopbackPeerError() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// Ends all connections and stops listening. Afterwards the port refuses connections.
    public func stop() {
        let live: [PeerSocket]? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return state.live.sorted { $0.key < $1.key }.map(\.value)
        }
        // The thread closes the socket; after that its number may be somebody else's.
        guard let live else { return }
        _ = shutdown(listener, Int32(SHUT_RDWR))
        for connection in live { connection.interrupt() }
    }

    public func url(_ behaviour: WebSocketPeerBehaviour) -> String {
        "ws://127.0.0.1:\(port)/\(behaviour.rawValue)"
    }

    public func observation(
        of behaviour: WebSocketPeerBehaviour
    ) async -> WebSocketPeerObservation? {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.busy[behaviour, default: 0] > 0 else { return true }
                state.waiting.append((behaviour, continuation))
                return false
            }
            if isIdle { continuation.resume() }
        }
        return state.withLock { $0.observations[behaviour] }
    }

    public func hasHadToWait(_ behaviour: WebSocketPeerBehaviour) -> Bool {
        state.withLock { $0.hadToWait.contains(behaviour) }
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let connection = PeerSocket(descriptor: descriptor)
            let id: Int? = state.withLock { state in
                guard !state.isStopped else { return nil }
                state.lastID += 1
                state.live[state.lastID] = connection
                return state.lastID
            }
            guard let id else {
                connection.close()
                break
            }
            Thread.detachNewThread { [self] in
                serve(connection)
                connection.close()
                state.withLock { _ = $0.live.removeValue(forKey: id) }
            }
        }
        #if canImport(Glibc)
        _ = Glibc.close(listener)
        #else
        _ = Darwin.close(listener)
        #endif
    }

    private func serve(_ connection: PeerSocket) {
        guard let header = try? connection.readHeader(),
            let request = PeerRequest(header), let behaviour = request.behaviour
        else { return }
        state.withLock { $0.busy[behaviour, default: 0] += 1 }
        connection.onFullSocket { [self] in
            state.withLock { _ = $0.hadToWait.insert(behaviour) }
        }
        var script = PeerScript(connection: connection, request: request)
        // A script ends by an error where the client leaves: that is how most of them end.
        try? script.run(behaviour)
        // Before the observation is given out, so that it holds what its reader is told.
        connection.close()
        let observation = script.observation
        let finished: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.observations[behaviour] = observation
            state.busy[behaviour, default: 0] -= 1
            guard state.busy[behaviour] == 0 else { return [] }
            defer { state.waiting.removeAll { $0.0 == behaviour } }
            return state.waiting.filter { $0.0 == behaviour }.map(\.1)
        }
        for continuation in finished { continuation.resume() }
    }
}

/// No loopback socket could be opened.
public struct LoopbackPeerError: Error, Hashable, Sendable {}

/// The upgrade request that a peer got.
struct PeerRequest {
    let path: String
    /// Names in lower case; of repeated names the first.
    let headers: [String: String]

    init?(_ text: String) {
        let lines = text.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        path = String(words[1])
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (
                    line[..<colon].lowercased(),
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    var behaviour: WebSocketPeerBehaviour? {
        WebSocketPeerBehaviour(rawValue: String(path.dropFirst()))
    }
}
