import Foundation

/// One subcommand of `rejoin`.
struct Command: Sendable {
    /// The word that calls it.
    let name: String
    /// One line for the overview.
    let summary: String
    /// The whole of `--help`.
    let help: String
    /// Reads all arguments first, so that nothing starts with a mistake in them; then does the
    /// work and returns the exit status: 0 only on success.
    let run: @Sendable (Arguments) async throws -> Int32
}

/// A failure that a person can mend: one clear line on standard error, and a non-zero exit status.
struct CommandError: Error, CustomStringConvertible {
    /// What happened, where, and what to do.
    let description: String
    /// 2 for wrong usage, 141 where nobody reads any more, 1 for everything else.
    let status: Int32

    /// Wrong usage.
    static func usage(_ text: String) -> CommandError {
        CommandError(description: text, status: 2)
    }

    /// The reader of standard output has gone, which needs no words: the status is what shells
    /// report of a program that SIGPIPE (13) has ended.
    static let readerHasGone = CommandError(description: "", status: 128 + SIGPIPE)

    /// Anything else.
    static func failure(_ text: String) -> CommandError {
        CommandError(description: text, status: 1)
    }
}
