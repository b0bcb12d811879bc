import Foundation
import RejoinContracts
import RejoinFlags
import RejoinFlagsTooling
import Testing

/// A person may type anything into a flags file: the tools answer, and never trap.
@Suite("Files that people mistype")
struct MutationTests {
    @Test("Whatever becomes of a file, tools tell of it or go on; what generates, lints")
    func mutations() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Fixtures/everything.flagd.json", withExtension: nil))
        let ramp = #"""
            "f":{"state":"ENABLED","variants":{"a":"a","b":"b"},"defaultVariant":"b","targeting":
            {"if":[{"sem_ver":[{"var":"v"},"=","1.0.0"]},"a",{"fractional":[{"cat":["s",{"var":
            "targetingKey"}]},["a",10],["b",90]]}]},"metadata":{"generation":3,"rolledBack":3}},
            """#
        let whole = Array(
            try String(contentsOf: url, encoding: .utf8)
                .replacing("\"flags\": {", with: "\"flags\": {\(ramp)").utf8)
        let baseline = try FlagSource(path: "old", bytes: ContiguousArray(whole))
        let request = RolloutRequest(
            flag: "f", shares: [("a", try #require(Percentage("25")))], lifts: true)
        let spice = Array(#"{}[]",:0129-.eE+\ntfu$é"#.utf8)
        var random = SeededGenerator(seed: 11)
        var generated = 0
        for _ in 0..<400 {
            var bytes = ContiguousArray(whole)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                default: bytes[place] = spice.randomElement(using: &random) ?? 0
                }
            }
            guard let source = try? FlagSource(path: "new", bytes: bytes) else { continue }
            let found = FlagLint.findings(
                in: source, baseline: baseline, today: CalendarDay("2026-11-30"))
            let codegen = FlagCodegen(source, fileName: "new")
            #expect((codegen.swift == nil) == codegen.findings.hasErrors)
            if codegen.swift != nil { generated += 1 }
            guard let plan = try? RolloutPlan(request, in: source, timestamp: 0) else { continue }
            let after = try FlagSource(path: "new", bytes: plan.bytes)
            // Nothing new is wrong with the file.
            #expect(
                FlagLint.findings(in: after, today: CalendarDay("2026-11-30")).count <= found.count)
        }
        #expect(generated > 20)
    }
}
