#if canImport(CCurl)
public import Foundation
public import RejoinModel
public import RejoinWire

/// The HTTP seam on libcurl (7.80 or later), for one origin.
///
/// One thread of its own, started with the first request, serves all requests of an exchange; it
/// ends with the exchange.
///
/// - Connections speak HTTP/1.1 and are kept for the next request, at most eight. Requests beyond
///   that wait their turn, and their timeout runs.
/// - TLS: certificates are verified against the system's authorities and the host name is checked.
///   Nothing turns this off.
/// - It keeps no cookies, no cache and no credentials, reads neither `.netrc` nor the environment's
///   proxies, and follows no redirects: a redirect comes back as the answer that it is.
/// - A request that was sent on a kept connection which then ends without a byte is sent again
///   where its method is idempotent (RFC 9110 section 9.2.2), and only there.
/// - A header of more than 64 KiB is refused as `malformed_answer`.
public final class CurlExchange: HTTPExchange {
    private let origin: RequestOrigin
    private let loop = CurlLoop()

    /// Creates an exchange with an origin such as `https://chat.example.com`. A path is allowed and
    /// stands before those of the requests; `nil` where the URL is not `http:` or `https:` with a
    /// host, or has a user, query or fragment.
    public init?(origin: URL) {
        guard let origin = RequestOrigin(origin) else { return nil }
        self.origin = origin
    }

    deinit {
        // The thread itself holds the loop, so the loop cannot notice.
        loop.stop()
    }

    public func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
        async throws(BackendFailure) -> HTTPResponse
    {
        let deadline = ContinuousClock.now + timeout
        let url = try origin.url(of: request)
        guard !Task.isCancelled else { throw .givenUp }
        let call = CurlCall(
            url: url, request: request, deadline: deadline, timeout: timeout,
            maximumBytes: maximumBytes)
        let loop = loop
        loop.start(call)
        return try await call.outcome { loop.attend() }.get()
    }
}
#endif
