#if os(Linux)
import Foundation
import Testing

/// Compares a text with the one committed beside the tests. With `REJOIN_RECORD=1` it writes the
/// file instead, and fails, so that no run passes without a comparison.
func expectSnapshot(_ text: String, _ name: String) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Snapshots/\(name).transitions.txt").standardizedFileURL
    if ProcessInfo.processInfo.environment["REJOIN_RECORD"] == "1" {
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
        Issue.record("wrote \(path.lastPathComponent); look at the difference and run again")
        return
    }
    let committed = try String(contentsOf: path, encoding: .utf8)
    #expect(text == committed, "the table has changed; REJOIN_RECORD=1 writes the new one")
}
#endif
