import RejoinTime

/// Who waits for what over one connection: for the socket to take a message, and for receipts.
///
/// A receipt resolves its own waiter and no earlier one: by STOMP 1.2 ("RECEIPT") it says that all
/// earlier frames were *received*, not that they were processed.
struct RequestLedger: Sendable {
    /// Who waits for a receipt.
    enum Waiter: Hashable, Sendable {
        case request(StompRequestID)
        case subscription(StompSubscriptionKey)
        case farewell
    }

    private struct Promise: Sendable {
        let waiter: Waiter
        let deadline: Instant
    }

    private var unwritten = FirstInFirstOut<StompRequestID?>()
    private var promises: [String: Promise] = [:]
    /// Receipt identifiers by rising deadline, those that were settled meanwhile included.
    private var order = FirstInFirstOut<String>()
    private var issued: UInt64 = 0

    /// Messages that the socket has not taken yet.
    var unwrittenCount: Int { unwritten.count }
    /// Requests that wait for a receipt; SUBSCRIBEs are bounded by the subscriptions.
    private(set) var pendingRequestCount = 0

    /// A receipt identifier that no other connection uses.
    mutating func makeReceiptID(in epoch: ConnectionEpoch) -> String {
        issued += 1
        return "r\(epoch.number)-\(issued)"
    }

    /// Notes that a message was handed to the socket, and who waits for the socket to take it.
    mutating func transmitted(for request: StompRequestID?) {
        unwritten.append(request)
    }

    /// Notes that the socket has taken the oldest message; returns who waited for that.
    mutating func wrote() -> StompRequestID? {
        unwritten.popFirst() ?? nil
    }

    /// Waits for a receipt until `deadline`.
    mutating func expect(_ receipt: String, for waiter: Waiter, until deadline: Instant) {
        promises[receipt] = Promise(waiter: waiter, deadline: deadline)
        order.append(receipt)
        if case .request = waiter { pendingRequestCount += 1 }
    }

    /// Takes the waiter of a receipt; `nil` for an unknown or repeated one.
    mutating func settle(_ receipt: String) -> Waiter? {
        guard let promise = promises.removeValue(forKey: receipt) else { return nil }
        if case .request = promise.waiter { pendingRequestCount -= 1 }
        return promise.waiter
    }

    /// When the next receipt is due; settled ones at the front are forgotten on the way.
    ///
    /// - Complexity: amortised O(1).
    mutating func nextDeadline() -> Instant? {
        while let receipt = order.first {
            if let promise = promises[receipt] { return promise.deadline }
            _ = order.popFirst()
        }
        return nil
    }

    /// Takes the waiters whose receipt is overdue, the longest waiting first.
    mutating func takeOverdue(at now: Instant) -> [Waiter] {
        var overdue: [Waiter] = []
        while let deadline = nextDeadline(), deadline <= now, let receipt = order.popFirst() {
            if let waiter = settle(receipt) { overdue.append(waiter) }
        }
        return overdue
    }

    /// Takes every request that still waits: first those whose message was not written, then those
    /// without a receipt, each in the order of asking.
    mutating func takeAllRequests() -> [StompRequestID] {
        var requests: [StompRequestID] = []
        while let request = unwritten.popFirst() {
            if let request { requests.append(request) }
        }
        while let receipt = order.popFirst() {
            if case .request(let request)? = settle(receipt) { requests.append(request) }
        }
        return requests
    }
}
