#if os(Linux)
import Foundation
import RejoinChat

/// The flags file of a demonstration, which changes on disk while messages flow.
struct DemoFlags: Sendable {
    let rollout: FlagRollout
    private let url: URL

    /// Writes a file that says `legacy`.
    ///
    /// - Throws: where it cannot be written.
    init(directory: URL) throws {
        let folder = directory.appending(path: "flags", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: "chat.flagd.json")
        rollout = FlagRollout(
            registry: FlagRegistry(path: url.path, pollInterval: .milliseconds(200)))
        try choose(.legacy)
    }

    /// Replaces the file by one that chooses another pipeline for everybody.
    ///
    /// - Throws: where it cannot be written.
    func choose(_ variant: PipelineVariant) throws {
        let text = """
            {
              "flags": {
                "message-pipeline": {
                  "state": "ENABLED",
                  "variants": { "legacy": "legacy", "refactored": "refactored" },
                  "defaultVariant": "\(variant)"
                }
              }
            }
            """
        do {
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            let reason = SystemError.text(of: error) ?? "the file or its folder is another by now"
            throw CommandError.failure(
                "the flags file '\(url.path)' of the demonstration cannot be replaced: \(reason); "
                    + "leave it alone while the demonstration runs")
        }
    }

    /// Returns once the file's choice is in force.
    func waitUntilChosen(_ variant: PipelineVariant) async throws {
        let anybody = SelectionContext(
            user: UserID("anybody"), room: RoomID("any"), hostProduct: "", appVersion: "")
        while rollout.selection(for: anybody).variant != variant {
            try await SystemTime().sleep(for: .milliseconds(5))
        }
    }
}
#endif
