import RejoinTransport
import RejoinWebSocket
import Testing

/// RFC 6455 section 3, and row R-42: what is no WebSocket URL is told apart from a dead server.
@Suite("WebSocket URLs")
struct WebSocketURLTests {
    struct Good: Sendable, CustomTestStringConvertible {
        let text: String
        let isSecure: Bool
        let host: String
        let port: UInt16
        let target: String
        let hostHeader: String
        var testDescription: String { text }
    }

    @Test(
        "parts are split",
        arguments: [
            Good(
                text: "ws://chat.example", isSecure: false, host: "chat.example", port: 80,
                target: "/", hostHeader: "chat.example"),
            Good(
                text: "WSS://chat.example/ws?a=b:c@d", isSecure: true, host: "chat.example",
                port: 443, target: "/ws?a=b:c@d", hostHeader: "chat.example"),
            Good(
                text: "ws://127.0.0.1:8080?x=/", isSecure: false, host: "127.0.0.1", port: 8080,
                target: "/?x=/", hostHeader: "127.0.0.1:8080"),
            Good(
                text: "wss://h:443/", isSecure: true, host: "h", port: 443, target: "/",
                hostHeader: "h"),
            Good(
                text: "ws://h:443/", isSecure: false, host: "h", port: 443, target: "/",
                hostHeader: "h:443"),
            Good(
                text: "ws://[::1]:99/a", isSecure: false, host: "::1", port: 99, target: "/a",
                hostHeader: "[::1]:99"),
            Good(
                text: "ws://h:/", isSecure: false, host: "h", port: 80, target: "/",
                hostHeader: "h"),
        ])
    func good(_ case: Good) throws {
        let url = try WebSocketURL(`case`.text)
        #expect(url.isSecure == `case`.isSecure)
        #expect(url.host == `case`.host)
        #expect(url.port == `case`.port)
        #expect(url.target == `case`.target)
        #expect(url.hostHeader == `case`.hostHeader)
    }

    @Test(
        "others are refused, without quoting them",
        arguments: [
            "", "chat.example", "http://h/", "https://h/", "ftp://h/", "ws:h", "ws:/h", "ws://",
            "ws://:80/", "ws:///path", "ws://h:0/", "ws://h:65536/", "ws://h:8a/", "ws://h:-1/",
            "ws://user:hunter2@h/", "ws://h/#frag", "ws://h/a b", "ws://h/\r\nX: hunter2",
            "ws://h/é", "ws://[::1", "ws://[::1]x/", "ws://[]/", "ws://[host]/", "ws://h,i/",
        ])
    func bad(_ text: String) {
        let error = #expect(throws: WebSocketError.self) { try WebSocketURL(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test("http and SockJS URLs are answered with a hint")
    func hint() {
        let error = #expect(throws: WebSocketError.self) { try WebSocketURL("https://h/ws") }
        #expect(error?.message.contains("wss://") == true)
        #expect(error?.message.contains("/websocket") == true)
    }
}
