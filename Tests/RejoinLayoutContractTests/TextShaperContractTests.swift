import RejoinContracts
import RejoinLayout
import Testing

/// The synthetic shapers keep the contract of the seam, so what is tested under them is tested
/// under shapers as they must be.
@Suite("TextShaper contract: synthetic shapers")
struct TextShaperContractTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let manner: SyntheticShaper.Manner
        let check: ContractCheck
        var testDescription: String { "\(manner.name): \(check.id)" }
    }

    static let cases = SyntheticShaper.manners.flatMap { manner in
        TextShaperContract.checks { SyntheticShaper(manner) }.map {
            Case(manner: manner, check: $0)
        }
    }

    @Test("Each manner keeps each check", arguments: cases)
    func synthetic(_ each: Case) async throws { try await each.check.run() }

    @Test("A replayed trace keeps what its recording kept: the answers are the same")
    func replay() async throws {
        var manner = SyntheticShaper.Manner("all")
        (manner.seed, manner.ligatures, manner.isContextual) = (4, 30, true)
        let recording = RecordingShaper(SyntheticShaper(manner))
        let preparer = TextPreparer(shaper: recording)
        let font = FontRequest(family: .named("A\tfont"), size: Advance(pixels: 16), isItalic: true)
        let style = TextStyle(font: font, metrics: recording.metrics(of: font), language: "en")
        let texts = TextShaperContract.texts + ["a\tb\r\nc\\d"]
        let recorded = texts.map {
            preparer.prepare($0, style: style).layout(width: 90, shaper: recording)
        }
        let trace = try ShapingTrace(recording.trace.text)
        #expect(trace == recording.trace)
        let replaying = ReplayingShaper(trace)
        #expect(replaying.metrics(of: font) == recording.metrics(of: font))
        let second = TextPreparer(shaper: replaying)
        for (text, expected) in zip(texts, recorded) {
            let replayed = second.prepare(text, style: style).layout(width: 90, shaper: replaying)
            #expect(replayed.lines == expected.lines, "\(text)")
        }
        #expect(replaying.unansweredCount == 0)
    }

    @Test("A damaged trace names its line")
    func damage() {
        #expect(throws: ShapingTraceError(line: 1)) { try ShapingTrace("nonsense") }
        #expect(throws: ShapingTraceError(line: 2)) {
            try ShapingTrace("rejoin-shaping-trace 1\t0\nM\ttext,64\tx\ty\n")
        }
    }
}
