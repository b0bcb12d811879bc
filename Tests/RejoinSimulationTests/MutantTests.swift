import Foundation
import RejoinSimulation
import Testing

/// The simulator is worth something only if it finds what is wrong (DESIGN section 11, level 4):
/// faults of our own at the cores' edges, each caught within a stated number of seeds.
@Suite("Mutants")
struct MutantTests {
    @Test(
        "Each is caught within its number of seeds, and without it the same run is clean",
        arguments: MutantCase.all)
    func caught(_ entry: MutantCase) {
        for seed in 1...UInt64(entry.seeds) {
            let options = entry.options(seed)
            let result = Simulation.run(options, mutant: entry.mutant, isStoppedEarly: true)
            guard !result.counts.isClean else { continue }
            let control = Simulation.run(options)
            #expect(
                control.counts.isClean,
                "seed \(seed): \(control.violations.map(\.description).joined(separator: "\n"))")
            return
        }
        Issue.record("no seed of 1...\(entry.seeds) catches \"\(entry.mutant.name)\"")
    }

    @Test("The documentation's table holds them as they are")
    func table() throws {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/RejoinChat/RejoinChat.docc/TheSimulator.md")
        let rows = try String(contentsOf: article, encoding: .utf8)
            .split(separator: "\n").drop { !$0.hasPrefix("| Mutant |") }
            .prefix { $0.hasPrefix("|") }.dropFirst(2)
        #expect(
            rows.map(String.init) == MutantCase.all.map(\.row),
            "the table must be:\n\(MutantCase.all.map(\.row).joined(separator: "\n"))")
    }

    @Test("Each has a name of its own")
    func names() {
        let names = MutantCase.all.map(\.mutant.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 20)
    }
}
