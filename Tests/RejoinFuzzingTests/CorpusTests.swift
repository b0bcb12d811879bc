import Foundation
import RejoinFuzzing
import Testing

/// Replays what fuzzing has found so far (`Fuzz/Corpora`), and each target's first inputs, in the
/// ordinary tests: a fault that was repaired stays repaired (DESIGN section 11, item 6).
@Suite("Fuzz corpora")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Corpora")

    @Test("Every committed input keeps its target's promise", arguments: FuzzTarget.all.map(\.name))
    func corpus(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: name), includingPropertiesForKeys: nil)
        #expect(!files.isEmpty, "\(name) has no corpus; Fuzz/fuzz.sh --minimise makes one")
        for file in files.sorted(by: { $0.path < $1.path }) {
            let input = ContiguousArray(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(name)/\(file.lastPathComponent)") {
                try target.run(input)
            }
        }
    }

    @Test("Every seed keeps its target's promise", arguments: FuzzTarget.all.map(\.name))
    func seeds(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for (index, seed) in target.seeds().enumerated() {
            #expect(throws: Never.self, "\(name), seed \(index)") { try target.run(seed) }
        }
    }

    @Test("Every corpus belongs to a target")
    func strays() throws {
        let names = Set(FuzzTarget.all.map(\.name))
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
            #expect(names.contains(name), "Fuzz/Corpora/\(name) belongs to no target; remove it")
        }
    }
}
