import Foundation
import RejoinFlags
import RejoinJSON

extension FlagsTool {
    /// How often a rollback is decided anew where others write the file all the time.
    private static let attempts = 20

    /// Runs a command and writes its files; what is said is true of what was written.
    ///
    /// A rollback that finds the file changed is decided anew on what stands there now: taking back
    /// is right whatever came in between. Anything else is refused, because a person decided it on
    /// what they saw.
    package static func perform(_ words: [String], in world: ToolWorld) -> ToolResult {
        var attempt = 0
        while true {
            attempt += 1
            var result = run(words, in: world)
            guard let failure = write(result.files) else { return result }
            if failure.isChange, failure.file.isRetried, attempt < attempts { continue }
            result.complain(
                "\(failure.file.path):1:1: error: \(failure.message) [not_written]".printable)
            result.status = 1
            // The report says that it was.
            result.output = ""
            result.files = []
            return result
        }
    }

    private struct WriteFailure {
        let file: ToolResult.File
        let message: String
        let isChange: Bool

        init(file: ToolResult.File, message: String) {
            self.file = file
            self.message = message
            isChange = false
        }

        init(file: ToolResult.File, failure: SourceFile.Failure) {
            self.file = file
            isChange = failure == .changed
            switch failure {
            case .changed:
                message =
                    "somebody else has changed the file meanwhile, and nothing was written; look "
                    + "at it and run this again"
            case .busy:
                message =
                    "another program has the file open for writing, and nothing was written; let "
                    + "it end and run this again"
            case .displaced(let refuge):
                message =
                    "others saved the file again and again meanwhile: it holds one of their "
                    + "versions, and '\(refuge)' another; compare the two and run this again"
            case .system(let code):
                message = "cannot be written: \(String(cString: strerror(code))); it is as it was"
            }
        }
    }

    /// Writes files; what stopped it.
    private static func write(_ files: [ToolResult.File]) -> WriteFailure? {
        for file in files {
            guard let old = file.replaced else {
                do {
                    try writeGenerated(file)
                } catch {
                    let message = "cannot be written: \(error.localizedDescription)"
                    return WriteFailure(file: file, message: message)
                }
                continue
            }
            do throws(SourceFile.Failure) {
                try SourceFile.replace(file.path, old, by: file.bytes)
            } catch {
                return WriteFailure(file: file, failure: error)
            }
        }
        return nil
    }

    /// Writes a file that belongs to us alone, whole, so that nobody reads half of it.
    private static func writeGenerated(_ file: ToolResult.File) throws {
        let url = URL(filePath: file.path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url, options: .atomic)
    }
}
