import Foundation
import RejoinLayout
import Testing

/// The standard's own tests, every case, without an exception.
@Suite("Unicode 15.0 conformance: UAX #14 and UAX #29")
struct UnicodeVectorTests {
    /// Cases that we fail on purpose, by their text. There is none.
    static let exceptions: Set<String> = []

    struct Case {
        let text: String
        let breaks: [Int]
        let line: String
    }

    static func cases(_ name: String) throws -> [Case] {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Vectors"))
        var cases: [Case] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let data = line.prefix { $0 != "#" }
            guard !data.isEmpty else { continue }
            var text = ""
            var breaks: [Int] = []
            for token in data.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                switch token {
                case "÷": breaks.append(text.utf8.count)
                case "×": break
                default:
                    let code = try #require(UInt32(token, radix: 16))
                    text.unicodeScalars.append(try #require(Unicode.Scalar(code)))
                }
            }
            let inner = breaks.filter { $0 > 0 && $0 < text.utf8.count }
            cases.append(Case(text: text, breaks: inner, line: String(line)))
        }
        return cases
    }

    @Test("Every case of LineBreakTest.txt holds")
    func lineBreaks() throws {
        let cases = try Self.cases("LineBreakTest")
        #expect(cases.count == 7654)
        for each in cases where !Self.exceptions.contains(each.text) {
            let breaks = TextBreaks(of: each.text)
            let found = (breaks.allowed + breaks.mandatory).sorted()
            #expect(found == each.breaks, "\(each.line)")
        }
    }

    @Test("Every case of GraphemeBreakTest.txt holds")
    func graphemes() throws {
        let cases = try Self.cases("GraphemeBreakTest")
        #expect(cases.count == 602)
        for each in cases {
            #expect(TextBreaks(of: each.text).graphemes == each.breaks, "\(each.line)")
        }
    }
}
