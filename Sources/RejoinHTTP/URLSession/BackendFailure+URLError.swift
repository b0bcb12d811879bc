import Foundation
import RejoinModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension BackendFailure {
    /// What a failed transfer says about the request's fate.
    ///
    /// Foundation's own text is not taken over: it holds the URL. What is not known to come before
    /// the request leaves counts as unknown, because a message sent twice is worse than a question
    /// asked twice.
    init(transport error: any Error) {
        guard let error = error as? URLError else {
            self.init(.outcomeUnknown, "the transfer failed")
            return
        }
        let number = "URLError \(error.code.rawValue)"
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed:
            self.init(.unreachable, "the server's name was not found (\(number))")
        case .cannotConnectToHost:
            self.init(.unreachable, "the server took no connection (\(number))")
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            self.init(.unreachable, "there is no network (\(number))")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            self.init(.unreachable, "no secure connection came about (\(number))")
        case .cancelled:
            self.init(.cancelled, "the request was given up (\(number))")
        case .timedOut:
            self.init(.outcomeUnknown, "no whole answer came in time (\(number))")
        default:
            self.init(.outcomeUnknown, "the connection was lost (\(number))")
        }
    }
}
