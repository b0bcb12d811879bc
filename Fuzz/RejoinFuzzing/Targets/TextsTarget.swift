import Foundation
import RejoinContracts
import RejoinModel
import RejoinTransport
import RejoinWebSocket
import RejoinWire

extension FuzzTarget {
    /// The first byte chooses the reader; the rest is the text.
    static let texts = FuzzTarget(
        "texts", words: "texts",
        promise: "URLs, targets, escapes and Retry-After are read or refused, and mean one thing",
        maximumBytes: 256,
        seeds: {
            let texts: [(UInt8, [String])] = [
                (0, ["120", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"]),
                (1, ["7", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:60 GMT"]),
                (2, ["/v1/rooms/a%2Fb/messages?limit=50&after=7", "/?a=b=c&&d", "/%zz"]),
                (3, ["wss://chat.example:8443/ws?x=1", "ws://[::1]:80", "WS://h", "http://h/"]),
                (4, ["a/b c%", "..", "방"]), (5, ["%E2%82%AC", "%2", "a%00"]),
            ]
            return texts.flatMap { kind, texts in texts.map { [kind] + $0.utf8 } }
        },
        run: { bytes in
            var input = FuzzInput(bytes)
            let kind = input.number(below: 6)
            let text = String(decoding: input.rest(), as: UTF8.self)
            switch kind {
            case 0: try checkWait(retryAfter(text, now: Date(timeIntervalSince1970: 784_111_777)))
            case 1: try checkRefusal(retryAfter: text)
            case 2: try checkTarget(text)
            case 3: try checkURL(text)
            case 4:
                try require(
                    PercentEncoding.decode(PercentEncoding.encode(text)), equals: text,
                    "fuzz.texts.escape", whoIsHurt: "everyone in a room with an unusual name")
            default:
                guard let decoded = PercentEncoding.decode(text) else { return }
                try require(
                    PercentEncoding.decode(PercentEncoding.encode(decoded)), equals: decoded,
                    "fuzz.texts.unescape", whoIsHurt: anybody)
            }
        })

    private static func checkWait(_ wait: Duration?) throws {
        guard let wait else { return }
        try require(
            wait >= .zero && wait <= .seconds(31_536_000), "fuzz.texts.retry-after",
            expected: "a wait between nothing and a year", got: "\(wait)",
            whoIsHurt: "a client that never comes back, or hammers")
    }

    private static func checkRefusal(retryAfter text: String) throws {
        let response = HTTPResponse(
            status: 429,
            headers: ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:30 GMT"])
        do {
            _ = try ReferenceFormat().decode(response, answering: .rooms)
        } catch {
            try checkWait(error.retryAfter)
        }
    }

    private static func checkTarget(_ text: String) throws {
        guard let request = try? HTTPRequest(.get, target: text) else { return }
        let again = try HTTPRequest(.get, target: request.target)
        try require(again, equals: request, "fuzz.texts.target", whoIsHurt: anybody)
    }

    private static func checkURL(_ text: String) throws {
        guard let url = try? WebSocketURL(text) else { return }
        let again = try WebSocketURL(
            "\(url.isSecure ? "wss" : "ws")://\(url.hostHeader)\(url.target)")
        try require(
            again, equals: url, "fuzz.texts.url", whoIsHurt: "whose proxy reads another host")
        try require(
            url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "fuzz.texts.request-line",
            expected: "a target that fits into a request line", got: "another",
            whoIsHurt: "whose request line ends early and carries a second request")
    }
}
