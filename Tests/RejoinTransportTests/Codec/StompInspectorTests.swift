import RejoinTransport
import Testing

@Suite("Wire inspector: `rejoin stomp decode`")
struct StompInspectorTests {
    private func lines(_ text: String, role: StompDecoder.Role = .client, cuts: [Int] = [])
        -> [StompInspector.Line]
    {
        var inspector = StompInspector(role: role, version: .v12, cuts: cuts)
        var lines = inspector.append(ContiguousArray(text.utf8))
        if let last = inspector.finish() { lines.append(last) }
        return lines
    }

    @Test("Frames, heart-beats behind NUL, and what remains, in order")
    func stream() {
        #expect(
            lines("\nMESSAGE\na:1\na:2\n\nhi\0\n\r\nMESS") == [
                .event(.heartBeat),
                .event(
                    .frame(StompFrame(.message, headers: [("a", "1"), ("a", "2")], text: "hi"))),
                .event(.heartBeat), .event(.heartBeat), .needMore,
            ])
        #expect(lines("") == [])
    }

    @Test("Cuts change nothing, wherever they are, and even beyond the end")
    func cuts() {
        let text = "MESSAGE\na\\c:1\n\nhi\0\nRECEIPT\nreceipt-id:1\n\n\0\r"
        let whole = lines(text)
        for first in 0...text.utf8.count {
            for second in stride(from: first, to: text.utf8.count + 3, by: 5) {
                #expect(lines(text, cuts: [first, second]) == whole)
            }
        }
    }

    @Test("Decoding stops at an error, and nothing remains")
    func error() {
        let lines = lines("\nFOO\n\n\0MESSAGE\n\n\0", cuts: [3])
        #expect(lines.count == 2)
        guard case .error(let error) = lines.last else {
            Issue.record("no error")
            return
        }
        #expect(error.offset == 1)
    }
}
