import Foundation

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
        var words = Array(CommandLine.arguments.dropFirst())
        if words.first == "--version" {
            print("rejoin \(version)")
            exit(0)
        }
        // `rejoin help serve` is `rejoin serve --help`.
        if words.first == "help", words.count == 2 { words = [words[1], "--help"] }
        guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
            print(overview)
            exit(0)
        }
        words.removeFirst()
        guard let command = commands.first(where: { $0.name == name }) else {
            fail("unknown subcommand '\(name)'; rejoin --help shows what there is", status: 2)
        }
        if words.contains("--help") || words.contains("-h") {
            print(command.help)
            exit(0)
        }
        do {
            exit(try await command.run(Arguments(words)))
        } catch {
            let known = error as? CommandError
            fail(known?.description ?? "\(error)", status: known?.status ?? 1)
        }
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
            """
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("rejoin: \(text)\n".utf8))
        exit(status)
    }
}
