import Foundation
import RejoinJSON

/// The program: finds the subcommand, tells errors in one line, and sets the exit status.
@main
enum Rejoin {
    static let commands: [Command] =
        platformCommands + [
            Command.conformance, Command.simulate, Command.stomp, Command.flags,
        ]

    /// The newest heading of the change log.
    private static let version = "unreleased"

    #if os(Linux)
    private static let platformCommands = [
        Command.serve, Command.token, Command.demo, Command.measure, Command.render,
    ]
    #else
    private static let platformCommands: [Command] = []
    #endif

    static func main() async {
        StandardStreams.prepare()
        exit(await status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs a command; a failure becomes a line on standard error and an exit status.
    private static func status(of words: [String]) async -> Int32 {
        do {
            return try await run(words)
        } catch {
            let known = error as? CommandError
            let text =
                known?.description ?? SystemError.text(of: error)
                ?? (error as? CocoaError)?.localizedDescription ?? "\(error)"
            if !text.isEmpty { StandardStreams.note("rejoin: \(text.printable)") }
            return known?.status ?? 1
        }
    }

    private static func run(_ words: [String]) async throws -> Int32 {
        var words = words
        if words.first == "--version" {
            try StandardStreams.say("rejoin \(version)")
            return 0
        }
        // `rejoin help serve` is `rejoin serve --help`.
        if words.first == "help", words.count == 2 { words = [words[1], "--help"] }
        guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
            try StandardStreams.say(overview)
            return 0
        }
        words.removeFirst()
        guard let command = commands.first(where: { $0.name == name }) else {
            throw CommandError.usage(
                "unknown subcommand '\(name)'; rejoin --help shows what there is")
        }
        if words.contains("--help") || words.contains("-h") {
            try StandardStreams.say(command.help)
            return 0
        }
        return try await command.run(Arguments(words))
    }

    private static var overview: String {
        let width = commands.map(\.name.count).max() ?? 0
        let rows = commands.map { command in
            "  \(command.name.padding(toLength: width, withPad: " ", startingAt: 0))  \(command.summary)"
        }
        return """
            rejoin: a chat module that stays complete, ordered and correctly read

            usage: rejoin SUBCOMMAND [options]

            \(rows.joined(separator: "\n"))

            rejoin SUBCOMMAND --help tells more; rejoin --version says which one this is.

            Exit status: 0 on success; 2 for wrong usage; 1 for any other failure, also where
            standard output cannot be written to; 141 where its reader has gone.
            """
    }
}
