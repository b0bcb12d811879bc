package import Foundation
package import RejoinTransport

/// An answer to the upgrade other than 101, as both connectors report it.
package struct UpgradeRefusal: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The value of `Retry-After`.
    package var retryAfterValue: String?
    /// The body, at most ``maximumBodyBytes`` of it.
    package var body = ContiguousArray<UInt8>()

    /// Creates a refusal.
    package init(status: Int) {
        self.status = status
    }

    /// How much of a body is kept: servers put a short error document there.
    package static let maximumBodyBytes = 4096

    /// The error that the caller gets. `now` is what a date in `Retry-After` is judged against.
    package func error(now: Date) -> WebSocketError {
        WebSocketError(
            .upgradeRefused,
            "The server answered the upgrade with HTTP status \(status) instead of 101. \(advice)",
            httpStatus: status, retryAfter: retryAfterValue.flatMap { retryAfter($0, now: now) },
            body: body)
    }

    private var advice: String {
        switch status {
        case 401: "Get a fresh credential."
        case 403: "This credential does not allow it; trying again is useless."
        case 404, 405, 200...299, 300...399:
            "Check the URL: the path may lead to a page instead of a WebSocket end point (for "
                + "SockJS append /websocket), and redirects are not followed."
        case 429, 503: "Wait before the next attempt, at least as long as Retry-After says."
        default: "The server's log tells more."
        }
    }
}
