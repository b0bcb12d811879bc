#if os(Linux)
import Foundation
import Testing

@Suite("rejoin demo (section 10)")
struct DemoTests {
    @Test("an interrupted demonstration leaves nothing behind")
    func interrupted() async throws {
        let directory = NSTemporaryDirectory() + "rejoin-demo-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let demo = try RunningProgram(["demo"], environment: ["TMPDIR": directory])
        // The first word of progress tells that the backend runs and its directory is there.
        let left = await demo.afterErrorLine {
            defer { demo.signal(SIGINT) }
            return try? FileManager.default.contentsOfDirectory(atPath: directory).count
        }
        #expect(left == 1)
        let outcome = try await demo.outcome()
        #expect(outcome.status == 130)
        #expect(outcome.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }
}
#endif
