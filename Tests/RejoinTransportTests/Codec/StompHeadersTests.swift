import RejoinTransport
import Testing

@Suite("STOMP headers: order, repeats, octets")
struct StompHeadersTests {
    @Test("The first of a repeated name rules, the rest is kept in order")
    func repeats() {
        let headers: StompHeaders = [("foo", "World"), ("bar", ""), ("foo", "Hello")]
        #expect(headers["foo"] == "World")
        #expect(headers["bar"] == "")
        #expect(headers["Foo"] == nil)
        #expect(headers.values(of: "foo") == ["World", "Hello"])
        #expect(headers.map(\.name) == ["foo", "bar", "foo"])
        #expect(headers.count == 3)
    }

    @Test("Names are octets: canonical equivalents are different names")
    func canonicalEquivalence() {
        let headers: StompHeaders = ["\u{E9}": "composed", "e\u{301}": "decomposed"]
        #expect(headers["\u{E9}"] == "composed")
        #expect(headers["e\u{301}"] == "decomposed")
        #expect(StompHeaders([("\u{E9}", "1")]) != StompHeaders([("e\u{301}", "1")]))
        #expect(headers.matches("\u{E9}", "composed"))
        #expect(!headers.matches("\u{E9}", "Composed"))
    }

    @Test("Equality does not confuse where a name ends")
    func equality() {
        #expect(StompHeaders([("a", "b:c")]) != StompHeaders([("a:b", "c")]))
        #expect(StompHeaders([("a", "1\nb:2")]) != StompHeaders([("a", "1"), ("b", "2")]))
        #expect(Set([StompHeaders([("a", "1")]), ["a": "1"]]).count == 1)
    }

    @Test("Appending and removing keep the rest as it was")
    func changing() {
        var headers: StompHeaders = [("a", "1"), ("b", "2"), ("a", "3")]
        headers.append("c", "4")
        headers.removeAll("a")
        #expect(headers == [("b", "2"), ("c", "4")])
        headers.removeAll("b")
        headers.removeAll("c")
        #expect(headers == StompHeaders())
    }

    @Test("Octets of a value share the storage and are the value's")
    func octets() {
        let headers: StompHeaders = [("a", "1"), ("message-id", "T_1@@2")]
        #expect(headers.bytes(of: "message-id").map(Array.init) == Array("T_1@@2".utf8))
        #expect(headers.bytes(of: "none") == nil)
    }

    @Test("Values reach no description: they may hold secrets")
    func description() {
        let headers: StompHeaders = [("login", "ada"), ("passcode", "secret-word")]
        var dumped = ""
        dump(headers, to: &dumped)
        let frame = StompFrame(.connect, headers: headers)
        dump(frame, to: &dumped)
        for text in ["\(headers)", String(reflecting: headers), "\(frame)", dumped] {
            #expect(!text.contains("secret-word"))
        }
        #expect("\(headers)" == "[login, passcode]")
    }
}
