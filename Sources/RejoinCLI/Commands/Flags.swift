import Foundation
import RejoinFlags
import RejoinJSON

extension Command {
    /// `rejoin flags`.
    static let flags = Command(
        name: "flags", summary: "evaluate and explain the flags of a flags file",
        help: """
            usage: rejoin flags evaluate --file F --flag K --type TYPE --default JSON
                   rejoin flags explain  --file F --flag K [--user U] [--context JSON] [--type TYPE]
                                         [--at SECONDS] [--json]

            evaluate reads one context per line from standard input, a JSON object with the member
            targetingKey and any attributes, and prints one JSON object per line:
              {"value":…,"variant":…,"reason":…,"errorCode":…}
            variant and errorCode are null where there is none. A line may also have the form
              {"targetingKey":…,"context":{…}}
            A line that is no context gives the default with INVALID_CONTEXT, and the next goes on;
            standard error says why.
            Each line is answered as soon as it has come; a blank one is skipped. No line may be
            longer than \(FlagsEvaluateCommand.longestLine) bytes.

            explain shows step by step how one decision comes about.

              --file F        a file in flagd's definition format
              --flag K        the flag's key
              --type TYPE     boolean, string, integer, double or object; explain takes it from the
                              flag's first variant unless told
              --default JSON  what the calling code does without flags
              --user U        the targeting key; without it nobody is bucketed
              --context JSON  the attributes
              --at SECONDS    $flagd.timestamp in place of now, in seconds since 1970
              --json          explain prints one JSON object for machines

            What is wrong with the file is told on standard error, with line and column.

            Exit status: evaluate ends with 0 when every line was answered, also where an answer is
            an error: "errorCode" tells. explain ends with 1 where the decision is an error. Both
            end with 1 where the file cannot be used, standard input cannot be read, a line is too
            long or standard output cannot be written to, and with 2 for wrong usage.
            """
    ) { arguments in
        var arguments = arguments
        switch arguments.word() {
        case "evaluate": return try FlagsEvaluateCommand(&arguments).run()
        case "explain": return try FlagsExplainCommand(&arguments).run()
        case let other:
            throw CommandError.usage(
                "say 'rejoin flags evaluate' or 'rejoin flags explain'"
                    + (other.map { ", not '\($0)'" } ?? ""))
        }
    }
}

/// The arguments that the subcommands of `rejoin flags` share, and the file.
enum FlagsCommand {
    static func required(_ name: String, _ what: String, _ arguments: inout Arguments)
        throws(CommandError) -> String
    {
        guard let value = try arguments.option(name) else {
            throw .usage("\(name) \(what) is missing")
        }
        return value
    }

    static func kind(_ arguments: inout Arguments) throws(CommandError) -> FlagKind? {
        guard let text = try arguments.option("--type") else { return nil }
        guard let kind = FlagKind(rawValue: text) else {
            let kinds = FlagKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--type must be one of \(kinds), not '\(text)'")
        }
        return kind
    }

    static func json(_ text: String, of option: String) throws(CommandError) -> FlagValue {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(ContiguousArray(text.utf8)).root
        } catch {
            throw .usage("\(option) must be JSON, such as '\"legacy\"' or 20: \(error.forPeople)")
        }
        guard let value = FlagValue(root) else {
            throw .usage("\(option) holds a number that is too large")
        }
        return value
    }

    /// Reads the file, and tells what is wrong with it.
    static func load(_ path: String) throws(CommandError) -> FlagSet {
        let bytes: ContiguousArray<UInt8>
        switch FlagFile.read(path, maximumBytes: FlagSet.limits.maximumBytes) {
        case .success(let read): bytes = read
        case .failure(let error): throw .failure("\(path): \(error)")
        }
        do throws(FlagFileError) {
            let set = try FlagSet(bytes)
            for diagnostic in set.diagnostics {
                StandardStreams.note("\(path.printable):\(diagnostic)")
            }
            return set
        } catch {
            throw .failure("\(path):\(error.location == nil ? " " : "")\(error)")
        }
    }
}
