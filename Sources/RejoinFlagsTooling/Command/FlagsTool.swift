import RejoinFlags
import RejoinJSON

/// The program that the plugins run: ``run(_:in:)`` decides as a function of its arguments and of
/// the files, ``perform(_:in:)`` does it.
package enum FlagsTool {
    /// Runs a command.
    ///
    /// - Parameter words: The arguments, without the program's name.
    package static func run(_ words: [String], in world: ToolWorld) -> ToolResult {
        var result = ToolResult()
        guard let name = words.first, let command = commands[name] else {
            let names = commands.keys.sorted().joined(separator: ", ")
            result.complain("error: say one of \(names)")
            result.status = 2
            return result
        }
        guard !words.contains("--help"), !words.contains("-h") else {
            result.say(command.help)
            return result
        }
        var arguments = ToolArguments(Array(words.dropFirst()))
        do throws(UsageError) {
            try command.run(&arguments, world, &result)
        } catch {
            result.complain("error: \(error.message.printable)")
            result.status = 2
        }
        return result
    }

    private struct Command: Sendable {
        let help: String
        let run:
            @Sendable (inout ToolArguments, ToolWorld, inout ToolResult) throws(UsageError) -> Void
    }

    private static let commands: [String: Command] = [
        "generate": Command(help: GenerateCommand.help, run: GenerateCommand.run),
        "lint": Command(help: LintCommand.help, run: LintCommand.run),
        "rollout": Command(help: RolloutCommand.help, run: RolloutCommand.run),
    ]

    /// Reads a flags file, or says why not, as `path:line:column: error: …`.
    static func load(_ path: String, _ world: ToolWorld) -> Result<FlagSource, Complaint> {
        switch world.read(path) {
        case .failure(let error): return .failure(Complaint(path: path, error: error))
        case .success(let bytes):
            do throws(FlagFileError) {
                return .success(try FlagSource(path: path, bytes: bytes))
            } catch {
                return .failure(Complaint(path: path, error: error))
            }
        }
    }

    /// A file that cannot be used at all.
    struct Complaint: Error {
        let path: String
        let error: FlagFileError

        /// The finding, as of any other mistake.
        var finding: FileFinding {
            FileFinding(
                path: path, severity: .error, code: error.code.rawValue, flag: nil,
                message: error.message, location: error.location)
        }
    }
}
