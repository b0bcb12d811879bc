import RejoinTransport
import Testing

@Suite("STOMP codec: frames survive the way out and in")
struct StompCodecSmokeTests {
    @Test("A frame with escapes comes back as it was")
    func roundTrip() throws {
        let frame = StompFrame(
            .send, headers: [("destination", "/q:a\n\\x"), ("a", "1"), ("a", "2")], text: "a\0b")
        let bytes = try StompEncoder().encode(frame)
        var decoder = StompDecoder(role: .server)
        decoder.append(bytes)
        guard case .frame(let back) = try decoder.next() else {
            Issue.record("no frame")
            return
        }
        #expect(back.headers["destination"] == "/q:a\n\\x")
        #expect(back.headers["a"] == "1")
        #expect(back.headers["content-length"] == "3")
        #expect(back.body == frame.body)
        #expect(try decoder.next() == nil)
    }
}
