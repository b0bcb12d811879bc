import Foundation
public import RejoinTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Opens WebSockets by `URLSessionWebSocketTask`: the connector for Apple platforms.
///
/// It compiles on Linux, so that errors show there, but Foundation cannot connect there: use
/// ``PlatformWebSocketConnector``.
///
/// - TLS is verified by the system, App Transport Security included; a company's own authority is
///   installed by a profile.
/// - The system's proxy settings apply. Redirects are not followed.
/// - The session hides the body of a refused upgrade: ``WebSocketError/body`` stays empty.
/// - Each connection has a session of its own, invalidated at its end: sessions hold their
///   delegates until then. The delegate does not hold the connection, so a dropped connection
///   closes.
public final class URLSessionConnector: WebSocketConnector {
    /// Creates a connector.
    public init() {}

    public func connect(
        _ request: WebSocketRequest
    ) async throws(WebSocketError) -> any WebSocketConnection {
        try RequestRules.check(request)
        _ = try WebSocketURL(request.url)
        guard let url = URL(string: request.url) else {
            throw RequestRules.invalid("The WebSocket URL cannot be read.")
        }
        let upgrade = Self.upgrade(url, request)
        return try await within(.now + request.timeout) { () throws(WebSocketError) in
            let driver = URLSessionDriver()
            let link = Link(driver: driver, maximumMessageBytes: request.maximumMessageBytes)
            driver.start(link, upgrade, request)
            return try await LinkConnection.open(link)
        }
    }

    private static func upgrade(_ url: URL, _ request: WebSocketRequest) -> URLRequest {
        // The session's own time limit counts idle time too, after the upgrade: it would end quiet
        // connections. The deadline of opening is ours.
        var upgrade = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 86_400)
        for field in request.headers {
            upgrade.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !request.subprotocols.isEmpty {
            upgrade.setValue(
                request.subprotocols.joined(separator: ", "),
                forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        return upgrade
    }
}
