import Foundation
import RejoinTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts the errors of URL sessions into the words of the seam. Their texts are not passed on:
/// they may quote the URL.
enum URLSessionErrors {
    /// - Parameter isOpen: Whether the upgrade had succeeded.
    static func error(for cause: any Error, isOpen: Bool) -> WebSocketError {
        let cause = cause as NSError
        if cause.domain == NSPOSIXErrorDomain, cause.code == messageTooLong {
            return WebSocketError(
                .messageTooLarge,
                "The peer sent a message of more than maximumMessageBytes. Raise it or have the "
                    + "server send less.")
        }
        guard !isOpen else { return .lost }
        guard cause.domain == NSURLErrorDomain else { return .unreachable }
        switch URLError.Code(rawValue: cause.code) {
        case .timedOut:
            return .timedOutOpening
        case .cancelled:
            return .cancelledByCaller
        case .badURL, .unsupportedURL:
            return RequestRules.invalid("The WebSocket URL cannot be used on this platform.")
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData:
            return WebSocketError(
                .protocolViolation,
                "The server's answer to the upgrade breaks RFC 6455 or HTTP. Check that the URL "
                    + "leads to a WebSocket server.")
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            return tls("it has expired or is not valid yet. Renew it, and check the clocks.")
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            return tls(
                "it is not trusted, or names another host. Install a private authority by a "
                    + "profile.")
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
            return tls("the TLS handshake failed. Check that the server speaks TLS here.")
        case .appTransportSecurityRequiresSecureConnection:
            return tls("App Transport Security forbids ws: here. Use wss:.")
        default:
            return .unreachable
        }
    }

    private static func tls(_ advice: String) -> WebSocketError {
        WebSocketError(.tlsFailed, "No trusted connection came about: \(advice)")
    }

    /// EMSGSIZE, which Darwin and Linux number differently.
    private static var messageTooLong: Int {
        Int(POSIXErrorCode.EMSGSIZE.rawValue)
    }
}
