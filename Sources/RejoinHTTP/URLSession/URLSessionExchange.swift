public import Foundation
public import RejoinModel
import RejoinTime
public import RejoinWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The HTTP seam on URLSession, for one origin.
///
/// It keeps no cookies, no cache and no credentials, and follows no redirects: an API does not move
/// between two requests, and a token must not be carried elsewhere. A redirect comes back as the
/// answer that it is.
///
/// For Apple platforms. On Linux a peer that hangs up in the middle of an answer's header ends the
/// process (in Foundation, beyond our reach): use ``PlatformHTTPExchange``.
public final class URLSessionExchange: HTTPExchange {
    private let origin: RequestOrigin
    private let session: URLSession
    private let delegate = TransferDelegate()

    /// Creates an exchange with an origin such as `https://chat.example.com`. A path is allowed and
    /// stands before those of the requests; `nil` where the URL is not `http:` or `https:` with a
    /// host, or has a user, query or fragment.
    public init?(origin: URL) {
        guard let origin = RequestOrigin(origin) else { return nil }
        self.origin = origin
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
        // The engine decides when to try again; it must learn at once that there is no network.
        configuration.waitsForConnectivity = false
        #endif
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // A session lives, and keeps its delegate alive, until it is told to end.
        session.invalidateAndCancel()
    }

    public func response(to request: HTTPRequest, timeout: Duration, maximumBytes: Int)
        async throws(BackendFailure) -> HTTPResponse
    {
        guard let url = URL(string: try origin.url(of: request)) else {
            throw BackendFailure(.rejected, "the request's path and query make no URL")
        }
        let task = session.dataTask(with: urlRequest(url, request, timeout))
        delegate.add(task, maximumBytes: maximumBytes)
        let delegate = delegate
        let result = await withTaskGroup { group in
            group.addTask {
                do {
                    try await SystemTime().sleep(for: timeout)
                } catch {
                    return
                }
                delegate.finish(task, .outcomeUnknown, "no whole answer came within \(timeout)")
            }
            let result = await Self.transfer(task, delegate)
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    private static func transfer(
        _ task: URLSessionDataTask, _ delegate: TransferDelegate
    ) async -> Result<HTTPResponse, BackendFailure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancellation may come first; then the delegate answers at once.
                if delegate.await(task, continuation) { task.resume() }
            }
        } onCancel: {
            delegate.finish(task, .cancelled, "the request was given up")
        }
    }

    private func urlRequest(_ url: URL, _ request: HTTPRequest, _ timeout: Duration) -> URLRequest {
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpShouldHandleCookies = false
        // URLSession's own limit is for silence between bytes; ours, which is for the whole, ends
        // the task first.
        urlRequest.timeoutInterval = max(1, timeout / .seconds(1) + 1)
        for field in request.headers.fields {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
        return urlRequest
    }
}
