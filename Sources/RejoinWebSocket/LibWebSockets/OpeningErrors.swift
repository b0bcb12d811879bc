#if os(Linux)
import CLibWebSockets
import Foundation
import RejoinTransport

/// Why OpenSSL refused a certificate (`X509_V_ERR_…`).
struct CertificateError: Hashable, Sendable {
    let code: Int32

    /// What is wrong and what to do.
    var advice: String {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            "it has expired. Renew it on the server, and check this device's clock."
        case X509_V_ERR_CERT_NOT_YET_VALID:
            "it is not valid yet. Check the clocks of the server and of this device."
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            "it names another host. Connect by a name that stands in the certificate."
        default:
            "it is not trusted (\(String(cString: rejoin_client_verify_text(code)))). For a "
                + "private authority give its certificate to the connector."
        }
    }
}

extension ServiceThread.Record {
    /// What the caller of `connect` is told.
    ///
    /// - Parameter libraryText: One of the library's fixed texts. It knows no error codes; the
    ///   texts of 4.1 are matched here and checked by the tests.
    func openingError(libraryText: String) -> WebSocketError {
        if let refusal { return refusal.error(now: Date()) }
        if let certificateError {
            return WebSocketError(
                .tlsFailed, "The server's certificate was refused: \(certificateError.advice)")
        }
        if libraryText == "HS: PROTOCOL malformed" {
            return .subprotocolMismatch
        }
        if libraryText.hasPrefix("HS:") || libraryText == "problems parsing header" {
            return WebSocketError(
                .protocolViolation,
                "The server's answer to the upgrade breaks RFC 6455 or HTTP (\(libraryText)). "
                    + "Check that the URL leads to a WebSocket server.")
        }
        if attempt.url.isSecure, !hasSentRequest, libraryText != "Unable to connect" {
            return WebSocketError(
                .tlsFailed,
                "The TLS handshake failed. Check that the server speaks TLS on this port.")
        }
        return hasSentRequest ? .endedWhileOpening : .unreachable
    }
}
#endif
