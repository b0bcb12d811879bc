import Dispatch
import Foundation
import RejoinTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
typealias RedirectionHandler = (URLRequest?) -> Void
#else
typealias RedirectionHandler = @Sendable (URLRequest?) -> Void
#endif

/// Moves the bytes of one link by a `URLSessionWebSocketTask`, and is the delegate of its
/// session.
///
/// Session, driver and link hold each other until the link's core wishes the socket dropped; then
/// the session is invalidated and lets go. A ``LinkConnection`` stands outside that circle, and
/// its end makes the core wish it.
final class URLSessionDriver: NSObject, LinkDriver, URLSessionWebSocketDelegate {
    private struct State {
        var link: Link?
        var session: URLSession?
        var task: URLSessionWebSocketTask?
        var offered: [String] = []
        var isOpen = false
        var isReceiving = false
        var isWriting = false
        var hasCloseTimer = false
        /// What a handler reported first; the task's end says what it meant.
        var firstFailure: (any Error)?
    }

    private let state = Mutex(State())

    /// Starts the attempt.
    ///
    /// - Parameters:
    ///   - upgrade: The upgrade request.
    ///   - request: What the caller asked for.
    func start(_ link: Link, _ upgrade: URLRequest, _ request: WebSocketRequest) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 86_400
        let session = URLSession(
            configuration: configuration, delegate: self, delegateQueue: nil)
        let task = session.webSocketTask(with: upgrade)
        // 1 MiB where it is not set; a larger message would end the connection.
        task.maximumMessageSize = request.maximumMessageBytes
        state.withLock { state in
            state.link = link
            state.session = session
            state.task = task
            state.offered = request.subprotocols
        }
        task.resume()
    }

    // MARK: - Following the wishes

    func attend(_ id: UInt) {
        guard let link = state.withLock(\.link) else { return }
        let (wish, closeTimeout) = link.wish
        if wish.dropsSocket { return drop() }
        if let closeTimeout { startCloseTimer(link, closeTimeout) }
        receive(link, wish)
        write(link)
    }

    private func drop() {
        let session = state.withLock { state in
            defer {
                state.link = nil
                state.session = nil
                state.task = nil
            }
            return state.session
        }
        session?.invalidateAndCancel()
    }

    private func startCloseTimer(_ link: Link, _ timeout: Duration) {
        let starts = state.withLock { state in
            defer { state.hasCloseTimer = true }
            return !state.hasCloseTimer
        }
        guard starts else { return }
        let seconds = min(max(timeout / .seconds(1), 0), 86_400)
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak link] in
            link?.handle(.gone)
        }
    }

    /// Asks for a message while there is room for one.
    private func receive(_ link: Link, _ wish: ConnectionCore.Wish) {
        let task: URLSessionWebSocketTask? = state.withLock { state in
            guard state.isOpen, !state.isReceiving, !wish.pausesReading,
                state.firstFailure == nil
            else { return nil }
            state.isReceiving = true
            return state.task
        }
        task?.receive { [self] result in
            state.withLock { $0.isReceiving = false }
            switch result {
            case .success(let message):
                let (bytes, isBinary) = Self.content(message)
                let part = ConnectionCore.MessagePart(
                    isFirst: true, isFinal: true, isBinary: isBinary, remainingInFrame: 0)
                link.take(part, bytes)
                attend(link.id)
            case .failure(let error):
                fail(error)
            }
        }
    }

    /// Hands frames to the task, one at a time: its handler is the back-pressure.
    private func write(_ link: Link) {
        let task: URLSessionWebSocketTask? = state.withLock { state in
            guard state.isOpen, !state.isWriting, state.firstFailure == nil else { return nil }
            state.isWriting = true
            return state.task
        }
        guard let task else { return }
        guard let next = link.nextWrite(limit: .max) else {
            state.withLock { $0.isWriting = false }
            // A frame may have come between the question and the flag.
            if link.wish.wish.wantsToWrite { write(link) }
            return
        }
        switch next {
        case .fragment(let fragment):
            task.send(Self.message(fragment.message)) { [self] error in
                if let error { return fail(error) }
                if let ticket = fragment.ticket { link.written(ticket) }
                continueWriting(link)
            }
        case .ping(let number):
            // A ping on a task that has ended crashes on some systems.
            if task.state == .running {
                task.sendPing { [self] error in
                    if let error { return fail(error) }
                    link.handle(.pong(number))
                }
            }
            continueWriting(link)
        case .close(let close):
            // An enumeration of the C language: any value passes.
            let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(close.code))
            task.cancel(with: code ?? .normalClosure, reason: Data(close.reason.utf8))
        }
    }

    private func continueWriting(_ link: Link) {
        state.withLock { $0.isWriting = false }
        write(link)
    }

    /// A handler's error seldom tells the cause; ending the task makes its last delegate call
    /// come, which does.
    private func fail(_ error: any Error) {
        let task = state.withLock { state in
            if state.firstFailure == nil { state.firstFailure = error }
            return state.task
        }
        task?.cancel()
    }

    private static func content(
        _ message: URLSessionWebSocketTask.Message
    ) -> (ContiguousArray<UInt8>, isBinary: Bool) {
        switch message {
        case .data(let data): (ContiguousArray(data), true)
        case .string(let text): (ContiguousArray(text.utf8), false)
        @unknown default: ([], true)
        }
    }

    private static func message(
        _ message: WebSocketMessage
    ) -> URLSessionWebSocketTask.Message {
        switch message {
        case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): .data(Data(bytes))
        }
    }

    // MARK: - Delegate

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        let (link, offered) = state.withLock { state in
            state.isOpen = true
            return (state.link, state.offered)
        }
        guard let link else { return }
        let chosen = `protocol`.flatMap { $0.isEmpty ? nil : $0 }
        if let chosen, !offered.contains(chosen) {
            return link.handle(.failed(.subprotocolMismatch))
        }
        link.open(subprotocol: chosen)
        attend(link.id)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        state.withLock(\.link)?.handle(Self.closing(closeCode, reason))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let (link, failure) = state.withLock { ($0.link, $0.firstFailure) }
        guard let link else { return }
        if let task = task as? URLSessionWebSocketTask, task.closeCode != .invalid {
            link.handle(Self.closing(task.closeCode, task.closeReason))
        }
        let isOpen = state.withLock(\.isOpen)
        let status = (task.response as? HTTPURLResponse)
        if !isOpen, let status, status.statusCode != 101 {
            var refusal = UpgradeRefusal(status: status.statusCode)
            refusal.retryAfterValue = status.value(forHTTPHeaderField: "Retry-After")
            link.handle(.failed(refusal.error(now: Date())))
        } else if let cause = failure ?? error {
            link.handle(.failed(URLSessionErrors.error(for: cause, isOpen: isOpen)))
        } else {
            link.handle(.gone)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping RedirectionHandler
    ) {
        completionHandler(nil)
    }

    private static func closing(
        _ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?
    ) -> ConnectionCore.Input {
        .peerClosed(
            UInt16(truncatingIfNeeded: code.rawValue),
            String(decoding: reason ?? Data(), as: UTF8.self))
    }
}
