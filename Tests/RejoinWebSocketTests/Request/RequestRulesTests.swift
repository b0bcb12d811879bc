import Foundation
import RejoinTransport
import RejoinWebSocket
import Testing

/// What never leaves the device (DESIGN section 4: secrets in no error text; header injection).
@Suite("Requests")
struct RequestRulesTests {
    private func error(
        headers: [WebSocketRequest.HeaderField] = [], subprotocols: [String] = [],
        maximum: Int = 1
    ) -> WebSocketError? {
        do throws(WebSocketError) {
            try RequestRules.check(
                WebSocketRequest(
                    url: "ws://h/", headers: headers, subprotocols: subprotocols,
                    maximumMessageBytes: maximum))
            return nil
        } catch {
            return error
        }
    }

    @Test("ordinary fields pass")
    func good() {
        #expect(
            error(
                headers: [
                    .init("Authorization", "Bearer a.b-c_d=="), .init("X-É".dropLast() + "e", ""),
                    .init("Cookie", "a=1; b=\"2\"\t, 漢"), .init("Origin", "https://h"),
                ], subprotocols: ["v12.stomp", "v11.stomp"]) == nil)
    }

    @Test(
        "control characters in values are refused, the value unquoted",
        arguments: ["a\r\nb", "a\nb", "a\rb", "a\0b", "a\u{7F}", "\u{1B}[31m"])
    func control(_ value: String) {
        let error = error(headers: [.init("X-Token", "hunter2" + value)])
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.contains("X-Token") == true)
    }

    @Test(
        "names that are no tokens are refused", arguments: ["", "a b", "a:", "a\r\n", "é", "(x)"])
    func names(_ name: String) {
        #expect(error(headers: [.init(name, "v")])?.code == .invalidRequest)
    }

    @Test(
        "the handshake's own fields are refused",
        arguments: ["Host", "upgrade", "Connection", "Sec-WebSocket-Key", "sec-websocket-protocol"])
    func reserved(_ name: String) {
        #expect(error(headers: [.init(name, "v")])?.code == .invalidRequest)
    }

    @Test("sizes and subprotocols have rules")
    func others() {
        let long = String(repeating: "a", count: 17_000)
        #expect(error(headers: [.init("X", long)])?.code == .invalidRequest)
        #expect(error(subprotocols: ["a b"])?.code == .invalidRequest)
        #expect(error(subprotocols: [""])?.code == .invalidRequest)
        #expect(error(subprotocols: ["a", "a"])?.code == .invalidRequest)
        #expect(error(maximum: 0)?.code == .invalidRequest)
    }
}

/// RFC 9110 section 10.2.3.
@Suite("Retry-After")
struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test("seconds and dates are read; nonsense is not")
    func values() {
        #expect(retryAfter("120", now: now) == .seconds(120))
        #expect(retryAfter(" 0 ", now: now) == .zero)
        #expect(retryAfter("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == .seconds(60))
        #expect(retryAfter("Sun, 06 Nov 1994 08:00:00 GMT", now: now) == .zero)
        #expect(retryAfter("999999999999999999999999", now: now) == .seconds(86_400))
        for nonsense in ["", "-1", "+5", "1.5", "soon", "12 s"] {
            #expect(retryAfter(nonsense, now: now) == nil, "\(nonsense)")
        }
    }

    @Test("R-13: a refusal carries status, Retry-After and body")
    func refusal() {
        var refusal = UpgradeRefusal(status: 503)
        refusal.retryAfterValue = "7"
        refusal.body = [1, 2]
        let error = refusal.error(now: now)
        #expect(error.code == .upgradeRefused)
        #expect(error.httpStatus == 503)
        #expect(error.retryAfter == .seconds(7))
        #expect(error.body == [1, 2])
        #expect(UpgradeRefusal(status: 200).error(now: now).message.contains("/websocket"))
    }
}
