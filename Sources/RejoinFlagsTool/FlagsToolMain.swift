import Foundation
import RejoinFlags
import RejoinFlagsTooling

/// The program that the plugins run: reads files, runs a command, and writes what it says.
@main
enum FlagsToolMain {
    static func main() {
        let world = ToolWorld(today: today(), now: Int64(Date().timeIntervalSince1970)) { path in
            FlagFile.read(path, maximumBytes: FlagSource.maximumBytes)
        }
        var result = FlagsTool.run(Array(CommandLine.arguments.dropFirst()), in: world)
        for file in result.files {
            do {
                try write(file)
            } catch {
                let reason = error.localizedDescription
                result.complaints += "\(file.path):1:1: error: cannot be written: \(reason)\n"
                result.status = 1
                // The report says that it was.
                result.output = ""
            }
        }
        // A reader that has gone, such as `head`, ends the program without a word, also where
        // whoever started it ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(result.output.utf8))
        } catch {
            result.complaints += "error: standard output cannot be written to\n"
            result.status = 1
        }
        // Where this fails, there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(result.complaints.utf8))
        exit(result.status)
    }

    private static func today() -> CalendarDay? {
        CalendarDay(String(Date().ISO8601Format().prefix(10)))
    }

    /// Writes a file whole, so that nobody reads half of it.
    private static func write(_ file: ToolResult.File) throws {
        // A link stays a link, and what it points to is replaced.
        let url = URL(filePath: file.path).resolvingSymlinksInPath()
        let manager = FileManager.default
        if !file.replacesSource {
            try manager.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        let mode = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions]
        try Data(file.bytes).write(to: url, options: .atomic)
        if let mode { try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path) }
    }
}
