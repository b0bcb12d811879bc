#if os(Linux)
import Foundation
import Glibc
import RejoinTransport
import Synchronization

/// Turns host names into addresses, each look-up on a thread of its own: `getaddrinfo` blocks,
/// and libwebsockets would call it on the thread that serves all connections.
///
/// A look-up cannot be interrupted. A caller that gives up leaves its thread behind until the
/// system answers; at most ``maximumPending`` of them are under way, further ones are refused.
final class Resolver: Sendable {
    /// The limit is the process', as the threads are.
    static let shared = Resolver()

    static let maximumPending = 16

    private let pending = Mutex(0)

    /// The addresses of `host` in numeric form, in the order in which to try them.
    ///
    /// - Throws: `unreachable` where there are none, `cancelled`.
    func resolve(_ host: String) async throws(WebSocketError) -> [String] {
        if Self.isNumeric(host) { return [host] }
        let admitted = pending.withLock { count in
            guard count < Self.maximumPending else { return false }
            count += 1
            return true
        }
        guard admitted else {
            throw WebSocketError(
                .unreachable,
                "\(Self.maximumPending) name look-ups are unanswered. The name server does not "
                    + "respond; try again later.")
        }
        let answer = OnceContinuation<[String]>()
        Thread.detachNewThread { [self] in
            let addresses = Self.lookUp(host)
            pending.withLock { $0 -= 1 }
            answer.resume(.success(addresses))
        }
        let addresses = try await answer.value()
        guard !addresses.isEmpty else {
            throw WebSocketError(
                .unreachable,
                "The host name was not found. Check the URL and the network connection.")
        }
        return addresses
    }

    private static func isNumeric(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) == 1
            || inet_pton(AF_INET6, host, &address) == 1
    }

    private static func lookUp(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // The C list ends with a null pointer and lives until `freeaddrinfo`.
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee, addresses.count < 8 {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let failed = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0,
                NI_NUMERICHOST)
            if failed == 0 {
                addresses.append(
                    String(
                        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                        as: UTF8.self))
            }
            next = entry.ai_next
        }
        return addresses
    }
}
#endif
