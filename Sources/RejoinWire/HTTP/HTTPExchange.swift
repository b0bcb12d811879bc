public import RejoinModel

/// The HTTP seam: carries one request to the backend and brings the answer. `RejoinHTTP` stands on
/// URLSession (Apple) and libcurl (Linux); `RejoinContracts` checks an implementation.
///
/// An implementation knows the origin. It keeps no cookies and no cache, follows no redirect to
/// another origin with credentials, and never lets a header or a body into an error text.
public protocol HTTPExchange: Sendable {
    /// Sends `request` and returns the whole answer, whatever its status.
    ///
    /// - Parameters:
    ///   - timeout: From the call to the last byte of the answer.
    ///   - maximumBytes: The largest body taken; a larger one is given up while it comes in.
    /// - Throws: `unreachable` where the request cannot have had an effect, `outcome_unknown` where
    ///   it may have, `malformed_answer` for an answer that is too large, `cancelled` where the
    ///   task was cancelled, `rejected` for a request that cannot be written as HTTP: nothing is
    ///   sent then.
    func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
        async throws(BackendFailure) -> HTTPResponse
}
