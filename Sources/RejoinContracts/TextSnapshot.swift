import Foundation

/// A text that is committed in `Tests/Snapshots`, so that a review sees each change of it, such as
/// a core's table of transitions.
package enum TextSnapshot {
    /// What is wrong with `text` as against the committed one; `nil` where they agree. With
    /// `REJOIN_RECORD=1` in the environment it writes the text instead, and says so.
    ///
    /// - Parameters:
    ///   - text: what the program says now.
    ///   - name: the name of the file.
    ///   - testFile: any source file of a test, which tells where the package stands.
    /// - Throws: where the file cannot be written.
    /// - Complexity: O(text).
    package static func difference(
        of text: String, from name: String, testFile: String = #filePath
    ) throws -> String? {
        var folder = URL(filePath: testFile).resolvingSymlinksInPath()
        while folder.lastPathComponent != "Tests", folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
        }
        let place = folder.appending(path: "Snapshots/\(name)")
        if ProcessInfo.processInfo.environment["REJOIN_RECORD"] == "1" {
            try Data(text.utf8).write(to: place)
            return "Wrote \(name); look through its changes and run the tests again."
        }
        let committed = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        let old = committed.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, (new, old)) in zip(new, old).enumerated() where new != old {
            return "\(name):\(number + 1) was\n\(old)\nand is\n\(new)"
        }
        guard new.count != old.count else { return nil }
        return "\(name) had \(old.count) lines and has \(new.count)."
    }
}
