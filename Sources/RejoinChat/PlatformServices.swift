public import Foundation
internal import RejoinHTTP
public import RejoinKit
internal import RejoinWebSocket
public import RejoinWire

extension ChatServices {
    /// The adapters of this platform: for REST and for the socket URLSession on Apple platforms,
    /// libcurl and libwebsockets on Linux.
    ///
    /// What is not named here keeps its default and can be set afterwards.
    ///
    /// - Parameters:
    ///   - origin: Where the REST API is, such as `https://chat.example.com`.
    ///   - format: How things look on the wire.
    ///   - credentials: The host's sign-in.
    /// - Throws: ``ChatError`` of code `invalid_origin` where the URL is not `http:` or `https:`
    ///   with a host.
    public static func platform(
        origin: URL, format: any WireFormat = ReferenceFormat(),
        credentials: any ChatCredentialsProvider
    ) throws(ChatError) -> ChatServices {
        guard let exchange = PlatformHTTPExchange(origin: origin) else {
            throw ChatError(
                .invalidOrigin,
                "the origin must be an http: or https: URL with a host, without query or fragment")
        }
        return ChatServices(
            format: format, exchange: exchange, connector: PlatformWebSocketConnector(),
            credentials: credentials)
    }
}
