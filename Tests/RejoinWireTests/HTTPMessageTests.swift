import RejoinWire
import Testing

@Suite("HTTP messages (RFC 3986, RFC 9110)")
struct HTTPMessageTests {
    @Test("percent-encoding has an inverse and leaves unreserved characters alone")
    func percentEncoding() {
        #expect(PercentEncoding.encode("azAZ09-._~") == "azAZ09-._~")
        #expect(
            PercentEncoding.encode("/?#[]@!$&'()*+,;= %")
                == "%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%20%25")
        #expect(PercentEncoding.encode("..") == "%2E%2E")
        #expect(PercentEncoding.encode(".") == "%2E")
        #expect(PercentEncoding.decode("%e2%82%AC") == "€")
        for text in ["", "é", "e\u{301}", "👨‍👩‍👧", "a%2Fb", "\u{0}"] {
            let decoded = PercentEncoding.decode(PercentEncoding.encode(text))
            #expect(decoded.map { Array($0.utf8) } == Array(text.utf8))
        }
        for broken in ["%", "%4", "%4g", "%ff", "%C3", "a%"] {
            #expect(PercentEncoding.decode(broken) == nil, "\(broken)")
        }
    }

    @Test("a target is taken apart and put together")
    func targets() throws {
        let request = HTTPRequest(
            .get, "/a", query: [HTTPQueryItem("x", "1&2=+ é"), HTTPQueryItem("y", "")])
        #expect(request.target == "/a?x=1%262%3D%2B%20%C3%A9&y=")
        #expect(try HTTPRequest(.get, target: request.target) == request)
        #expect(try HTTPRequest(.get, target: "/a?") == HTTPRequest(.get, "/a"))
        #expect(try HTTPRequest(.get, target: "/a?x").query == [HTTPQueryItem("x", "")])
        for broken in ["", "a", "*", "http://h/a", "/a?x=%", "/a?%=1"] {
            #expect(throws: WireError.self, "\(broken)") {
                try HTTPRequest(.get, target: broken)
            }
        }
    }

    @Test("header fields are found in any case; the first one wins")
    func headers() {
        var headers: HTTPHeaders = ["A": "1", "b": "2"]
        headers.append("a", "3")
        #expect(headers["a"] == "1")
        headers["a"] = "4"
        #expect(headers.fields.map(\.value) == ["4", "2"])
        headers["B"] = nil
        #expect(headers.fields.map(\.name) == ["a"])
        headers["c"] = "5"
        #expect(headers["C"] == "5")
        #expect(headers["ſ"] == nil)
    }
}
