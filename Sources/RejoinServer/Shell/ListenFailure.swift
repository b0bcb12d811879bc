#if os(Linux)
import Foundation

/// libwebsockets says only that it could not listen; this finds out why, by trying the same
/// with a plain socket.
enum ListenFailure {
    /// Refuses an address or port that cannot be had, before anything is started.
    static func check(host: String, port: UInt16) throws(ReferenceServerError) {
        guard errorOfListening(host: host, port: port, listening: false) == 0 else {
            throw diagnose(host: host, port: port, hasTLS: false)
        }
    }

    static func diagnose(host: String, port: UInt16, hasTLS: Bool) -> ReferenceServerError {
        let code = errorOfListening(host: host, port: port, listening: true)
        switch code {
        case 0 where hasTLS:
            return ReferenceServerError(
                .badCertificate,
                "the certificate or its private key cannot be used; both must be PEM files "
                    + "that belong together")
        case EADDRINUSE:
            return ReferenceServerError(
                .portInUse,
                "port \(port) on \(host) is in use; choose another, or 0 for a free one")
        default:
            let reason = code == 0 ? "unknown reason" : String(cString: strerror(code))
            return ReferenceServerError(
                .cannotListen, "cannot listen on \(host) port \(port): \(reason)")
        }
    }

    /// Whether the text is an IPv4 address.
    static func isAddress(_ host: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1
    }

    private static func errorOfListening(host: String, port: UInt16, listening: Bool) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, !listening || Foundation.listen(descriptor, 1) == 0 else {
            return errno
        }
        return 0
    }
}
#endif
