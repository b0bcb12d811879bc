#if os(Linux)
import Foundation
public import RejoinTransport

/// Opens WebSockets by libwebsockets (4.1 or later).
///
/// One thread of its own, started with the first connection, serves all connections of a
/// connector; it ends when the connector and its connections are gone.
///
/// - TLS: certificates are verified against the system's authorities and those of
///   ``init(certificateAuthorities:)``, the host name is checked, SNI is sent. Nothing turns
///   this off.
/// - No proxy is used, also none that the environment names; redirects are not followed;
///   `permessage-deflate` is not offered.
/// - A host name with its port may take 110 bytes, path and query 2,000. `wss:` needs a host
///   name or an IPv4 address. Beyond that the library would cut them silently, so `connect`
///   refuses.
/// - Two liberties of the library cannot be taken away: it accepts masked frames from a server,
///   and it reports the peer's close codes 1012 to 1014, and codes that nobody may send, as
///   1002.
/// - Reading the body of a refused upgrade holds up the thread for 200 ms at most.
///
/// libwebsockets ignores SIGPIPE in the whole process.
public final class LibWebSocketsConnector: WebSocketConnector {
    private let lease: ServiceLease
    private let certificateAuthorities: String?
    private let resolver = Resolver.shared

    /// Creates a connector.
    ///
    /// - Parameter certificateAuthorities: The path of a PEM file with authorities that are
    ///   trusted besides the system's, such as a company's own.
    public init(certificateAuthorities: String? = nil) {
        self.certificateAuthorities = certificateAuthorities
        lease = ServiceLease(ServiceLoop(certificateAuthorities: certificateAuthorities))
    }

    public func connect(
        _ request: WebSocketRequest
    ) async throws(WebSocketError) -> any WebSocketConnection {
        try RequestRules.check(request)
        let url = try WebSocketURL(request.url)
        try Self.checkLibraryLimits(url)
        try checkAuthorities()
        let deadline = ContinuousClock.now + request.timeout
        let addresses = try await within(deadline) { [resolver] () throws(WebSocketError) in
            try await resolver.resolve(url.host)
        }
        return try await connect(request, url, addresses, deadline)
    }

    /// Tries the addresses in turn, each with its share of the time that is left, so that one
    /// that swallows packets does not use up the others' time.
    private func connect(
        _ request: WebSocketRequest, _ url: WebSocketURL, _ addresses: [String],
        _ deadline: ContinuousClock.Instant
    ) async throws(WebSocketError) -> any WebSocketConnection {
        for (index, address) in addresses.enumerated() {
            let share = (deadline - ContinuousClock.now) / (addresses.count - index)
            let attempt = ConnectionAttempt(request: request, url: url, address: address)
            do {
                return try await within(.now + share) {
                    [lease] () throws(WebSocketError) in
                    let link = Link(
                        driver: lease.loop,
                        maximumMessageBytes: request.maximumMessageBytes)
                    lease.loop.open(link, attempt)
                    return try await LinkConnection.open(link, lease: lease)
                }
            } catch  where index + 1 < addresses.count && error.mayDifferByAddress {
                continue
            }
        }
        throw WebSocketError(
            .unreachable, "The host name has no address. Check the URL and the name server.")
    }

    private static func checkLibraryLimits(_ url: WebSocketURL) throws(WebSocketError) {
        guard url.hostHeader.utf8.count <= 110 else {
            throw RequestRules.invalid("The host of the URL is longer than 110 bytes.")
        }
        guard url.target.utf8.count <= 2000 else {
            throw RequestRules.invalid("Path and query of the URL take more than 2,000 bytes.")
        }
        guard !(url.isSecure && url.isIPv6Literal) else {
            throw RequestRules.invalid(
                "A wss: URL with an IPv6 address cannot be verified here. Use a host name.")
        }
    }

    private func checkAuthorities() throws(WebSocketError) {
        guard let path = certificateAuthorities else { return }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw RequestRules.invalid(
                "The file of certificate authorities \(path) cannot be read.")
        }
    }
}

extension WebSocketError {
    /// Whether another address of the same host may do better.
    fileprivate var mayDifferByAddress: Bool { code == .unreachable || code == .timedOut }
}
#endif
