import Foundation
import RejoinFlags
import RejoinFlagsTooling

/// The program that the plugins run: names the clock and the files, and writes what it says.
@main
enum FlagsToolMain {
    static func main() {
        let world = ToolWorld(today: today(), now: Int64(Date().timeIntervalSince1970)) { path in
            FlagFile.read(path, maximumBytes: FlagSource.maximumBytes)
        }
        var result = FlagsTool.perform(Array(CommandLine.arguments.dropFirst()), in: world)
        // A reader that has gone, such as `head`, ends the program without a word, also where
        // whoever started it ignores the signal.
        signal(SIGPIPE, SIG_DFL)
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(result.output.utf8))
        } catch {
            let written = result.files.map(\.path).joined(separator: ", ")
            result.complaints +=
                "error: standard output cannot be written to"
                + (written.isEmpty ? "\n" : "; \(written) was written all the same\n")
            result.status = 1
        }
        // Where this fails, there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(result.complaints.utf8))
        exit(result.status)
    }

    private static func today() -> CalendarDay? {
        CalendarDay(String(Date().ISO8601Format().prefix(10)))
    }
}
