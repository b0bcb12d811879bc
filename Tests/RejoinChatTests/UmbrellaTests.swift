import RejoinChat
import Testing

@Suite("The umbrella (targets)")
struct UmbrellaTests {
    @Test("one import shows members of every module whose values a host handles, layout included")
    func members() {
        // A member of a module that is not re-exported would not compile here.
        #expect(MessageID(1).rawValue == 1)
        #expect(TextPreparer.maximumByteCount > 0)
        #expect(ContentMeasures.standard.albumLimit > 0)
        #expect(FlagExposures.maximumPending > 0)
        #if os(Linux)
        #expect(PinnedFonts.standard.all.contains { $0.name == "DejaVu Sans" })
        #endif
    }
}
