import Foundation
import RejoinModel
import RejoinWire
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers of a session's tasks and gives each to whoever waits for it, once.
///
/// Whatever ends a transfer first decides it: its completion, a limit, the timeout or
/// cancellation. Callbacks that come later find nothing to do.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<HTTPResponse, BackendFailure>

    private struct Transfer {
        let maximumBytes: Int
        var status: Int?
        var headers = HTTPHeaders()
        var body: ContiguousArray<UInt8> = []
        var waiter: CheckedContinuation<Outcome, Never>?
        /// The outcome, where it was decided before anybody waited.
        var early: Outcome?
    }

    private let transfers = Mutex<[Int: Transfer]>([:])

    // MARK: From the exchange

    /// Makes a task known before it starts.
    func add(_ task: URLSessionTask, maximumBytes: Int) {
        transfers.withLock { transfers in
            transfers[task.taskIdentifier] = Transfer(maximumBytes: maximumBytes)
        }
    }

    /// Hands the outcome to `waiter` when it is known; whether it is worth starting the task.
    func await(_ task: URLSessionTask, _ waiter: CheckedContinuation<Outcome, Never>) -> Bool {
        let early = transfers.withLock { transfers -> Outcome? in
            guard let early = transfers[task.taskIdentifier]?.early else {
                transfers[task.taskIdentifier]?.waiter = waiter
                return nil
            }
            transfers[task.taskIdentifier] = nil
            return early
        }
        guard let early else { return true }
        task.cancel()
        waiter.resume(returning: early)
        return false
    }

    /// Ends a transfer for a reason of ours.
    func finish(_ task: URLSessionTask, _ code: BackendFailure.Code, _ message: String) {
        end(task, .failure(BackendFailure(code, message)))
        task.cancel()
    }

    private func end(_ task: URLSessionTask, _ outcome: Outcome) {
        let waiter = transfers.withLock { transfers -> CheckedContinuation<Outcome, Never>? in
            guard let transfer = transfers[task.taskIdentifier] else { return nil }
            guard let waiter = transfer.waiter else {
                transfers[task.taskIdentifier]?.early = transfer.early ?? outcome
                return nil
            }
            transfers[task.taskIdentifier] = nil
            return waiter
        }
        waiter?.resume(returning: outcome)
    }

    // MARK: From the session

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else {
            finish(dataTask, .malformedAnswer, "the answer is no HTTP")
            return completionHandler(.cancel)
        }
        let isTooLarge = transfers.withLock { transfers -> Bool in
            guard let maximum = transfers[dataTask.taskIdentifier]?.maximumBytes else {
                return false
            }
            transfers[dataTask.taskIdentifier]?.status = response.statusCode
            transfers[dataTask.taskIdentifier]?.headers = HTTPHeaders(response)
            return response.expectedContentLength > Int64(maximum)
        }
        if isTooLarge { finishTooLarge(dataTask) }
        completionHandler(isTooLarge ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = transfers.withLock { transfers -> Bool in
            let id = dataTask.taskIdentifier
            guard let transfer = transfers[id] else { return false }
            // A declared length may be wrong, so the bytes are counted as they come.
            guard transfer.body.count + data.count <= transfer.maximumBytes else { return true }
            transfers[id]?.body.append(contentsOf: data)
            return false
        }
        if isTooLarge { finishTooLarge(dataTask) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        if let error {
            return end(task, .failure(BackendFailure(transport: error)))
        }
        let response = transfers.withLock { transfers -> HTTPResponse? in
            guard let transfer = transfers[task.taskIdentifier], let status = transfer.status
            else { return nil }
            return HTTPResponse(status: status, headers: transfer.headers, body: transfer.body)
        }
        let lost = BackendFailure(.outcomeUnknown, "the connection ended without an answer")
        end(task, response.map { .success($0) } ?? .failure(lost))
    }

    private func finishTooLarge(_ task: URLSessionTask) {
        let maximum = transfers.withLock { $0[task.taskIdentifier]?.maximumBytes }
        finish(
            task, .malformedAnswer,
            "the answer is longer than \(maximum ?? 0) bytes, the most that is taken; ask for less at once"
        )
    }
}

extension HTTPHeaders {
    /// The header fields of a response. Their order is lost in Foundation, so they are sorted.
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(
            response.allHeaderFields
                .compactMap { name, value in
                    (name as? String).map { Field($0, String(describing: value)) }
                }
                .sorted { $0.name < $1.name })
    }
}
