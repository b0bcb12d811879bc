#if canImport(CCurl)
import CCurl
import RejoinModel

/// What lives on the service thread alone: the library's multi handle and its transfers. Not
/// sendable, so it cannot leave.
final class CurlThread {
    /// How many connections are open at once, and kept for later.
    static let maximumConnections = 8
    /// How long to wait where nothing has a deadline; whoever wants something wakes the thread.
    private static let idleMilliseconds: Int32 = 3_600_000

    /// Once for the process; nonzero where the library cannot be used.
    private static let globalError = rejoin_curl_global_init()

    private let loop: CurlLoop
    /// In the order of their calls.
    private var transfers: [CurlTransfer] = []

    private init(_ loop: CurlLoop) {
        self.loop = loop
    }

    /// The thread's whole life.
    static func run(_ loop: CurlLoop) {
        CurlThread(loop).serve()
    }

    private func serve() {
        rejoin_curl_block_sigpipe()
        let multi = Self.globalError == 0 ? curl_multi_init() : nil
        if let multi {
            rejoin_curl_limit_connections(multi, Self.maximumConnections)
            loop.setMulti(address: UInt(bitPattern: multi))
            while turn(multi) {}
        }
        let unserved = loop.retire().calls
        for transfer in transfers {
            curl_multi_remove_handle(multi, transfer.easy)
            transfer.call.settle(.failure(transfer.lost("the exchange ended")))
        }
        transfers = []
        for call in unserved {
            call.settle(.failure(BackendFailure(.unreachable, "libcurl could not be started")))
        }
        if let multi { curl_multi_cleanup(multi) }
    }

    /// Follows the mail, moves the transfers on, and waits for what comes next.
    ///
    /// - Returns: Whether to go on.
    private func turn(_ multi: UnsafeMutableRawPointer) -> Bool {
        let mail = loop.collect()
        for call in mail.calls { start(call, multi) }
        var running: Int32 = 0
        guard curl_multi_perform(multi, &running) == CURLM_OK else { return false }
        var result = CURLE_OK
        while let easy = rejoin_curl_next_finished(multi, &result) {
            finish(easy, result, multi)
        }
        endOverdue(multi)
        guard !mail.stops else { return false }
        return curl_multi_poll(multi, nil, 0, wait, nil) == CURLM_OK
    }

    private func start(_ call: CurlCall, _ multi: UnsafeMutableRawPointer) {
        guard !call.isSettled else { return }
        guard let transfer = CurlTransfer(call) else {
            return call.settle(
                .failure(BackendFailure(.rejected, "libcurl does not take the request")))
        }
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            return call.settle(
                .failure(BackendFailure(.unreachable, "libcurl did not start the request")))
        }
        transfers.append(transfer)
    }

    // libcurl's handles are opaque pointers; they stay on this thread.
    private func finish(
        _ easy: UnsafeMutableRawPointer, _ result: CURLcode, _ multi: UnsafeMutableRawPointer
    ) {
        guard let index = transfers.firstIndex(where: { $0.easy == easy }) else { return }
        let transfer = transfers.remove(at: index)
        // Before the transfer's end frees its handle.
        curl_multi_remove_handle(multi, easy)
        transfer.call.settle(transfer.outcome(result))
    }

    /// Ends the transfers whose time is over and those that were given up. Removing one from the
    /// library ends its connection.
    private func endOverdue(_ multi: UnsafeMutableRawPointer) {
        guard !transfers.isEmpty else { return }
        let now = ContinuousClock.now
        transfers.removeAll { transfer in
            let call = transfer.call
            guard call.deadline <= now || call.isSettled else { return false }
            curl_multi_remove_handle(multi, transfer.easy)
            // Nothing happens here where the call was given up.
            call.settle(
                .failure(transfer.lost("no whole answer came within \(call.timeout)")))
            return true
        }
    }

    /// Milliseconds to the next deadline, rounded up so that it has come when the thread wakes.
    private var wait: Int32 {
        guard let next = transfers.map(\.call.deadline).min() else { return Self.idleMilliseconds }
        let milliseconds = ContinuousClock.now.duration(to: next).wholeMillisecondsUp
        return Int32(min(Int64(Self.idleMilliseconds), milliseconds))
    }
}

extension Duration {
    /// Milliseconds, rounded up, and no fewer than none.
    var wholeMillisecondsUp: Int64 {
        let (seconds, attoseconds) = components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(0, min(seconds, 1 << 40) * 1_000 + rest)
    }
}
#endif
