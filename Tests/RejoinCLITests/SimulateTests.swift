#if os(Linux)
import Foundation
import Testing

@Suite("rejoin simulate")
struct SimulateTests {
    private struct Summary: Decodable {
        var pipeline: String
        var seeds: Int
        var missing: Int
        var messages: Int
        var faults: Int
        var flips: Int
        var handovers: Int
        var legacyLosses: Int
        var trimmed: Int
        var signedOut: Int
        var interrupted: Bool
    }

    @Test(
        "the text and the line for machines tell the same figures",
        arguments: ["refactored", "legacy", "shadow", "flipped"])
    func figures(pipeline: String) throws {
        let arguments = ["simulate", "--seed", "3", "--seeds", "2", "--pipeline", pipeline]
        let text = try Program.run(arguments).text
        let json = try JSONDecoder().decode(
            Summary.self, from: Data(try Program.run(arguments + ["--json"]).output))
        #expect(json.pipeline == pipeline && json.seeds == 2 && !json.interrupted)
        for figure in [
            "missing \(json.missing),", "\(json.messages) messages", "\(json.faults) faults",
            "\(json.flips) flips, \(json.handovers) handovers, \(json.legacyLosses) losses",
            "trimmed history \(json.trimmed), signed out \(json.signedOut)",
        ] {
            #expect(text.contains(figure), "\(figure) in \(text)")
        }
    }

    @Test("a long run says how far it is, and what was run until somebody ends it")
    func interrupted() async throws {
        let program = try RunningProgram(["simulate", "--seeds", "1000000", "--json"])
        // The first word of progress comes once signals are taken.
        await program.afterErrorLine { program.signal(SIGINT) }
        let outcome = try await program.outcome()
        #expect(outcome.status == 130)
        let json = try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
        #expect(json.interrupted && json.seeds < 1_000_000)
        #expect(outcome.errors.contains("interrupted after \(json.seeds) of 1000000 runs"))
    }

    @Test("one seed is told in the singular, and no list follows no failure")
    func one() throws {
        let text = try Program.run(["simulate", "--seeds", "1"]).text
        #expect(text.contains(": 1 seed, ") && text.contains("virtual minutes"), "\(text)")
        #expect(text.hasSuffix("failed seeds 0\n"), "\(text)")
    }

    @Test("progress stands on standard error at each tenth")
    func progress() throws {
        let errors = try Program.run(["simulate", "--seeds", "10", "--json"]).errors
        for done in 0...10 { #expect(errors.contains("simulate: \(done) of 10 runs"), "\(errors)") }
    }
}
#endif
