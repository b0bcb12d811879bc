#if os(Linux)
import Foundation
import RejoinServer

/// Where the token secret comes from: a file, or the environment. It is never an argument,
/// because arguments are seen by everybody on the machine.
enum ServerSecret {
    /// The longest file with a secret, in bytes.
    private static let longest = 64 << 10

    /// What the help of a command says about it.
    static let help = """
        The secret that signs tokens has at least \(TokenSecret.minimumBytes) bytes. It is read from
        the file that --secret names, or from the environment variable REJOIN_SECRET.
        """

    /// Takes `--secret FILE` out, which must be the last of the arguments, and reads the secret.
    static func take(from arguments: inout Arguments) throws -> TokenSecret {
        let file = try arguments.option("--secret")
        // A mistyped argument is told before anything that the machine lacks.
        try arguments.finish()
        let bytes: [UInt8]
        if let path = file {
            let file = try InputFile.read(path, as: "the secret file", atMost: longest)
            // Editors end files with a line feed, which is not meant.
            bytes = Array(file.last == UInt8(ascii: "\n") ? file.dropLast() : file[...])
        } else if let text = ProcessInfo.processInfo.environment["REJOIN_SECRET"] {
            bytes = Array(text.utf8)
        } else {
            throw CommandError.usage(
                "no token secret: name a file with --secret, or set REJOIN_SECRET")
        }
        do {
            return try TokenSecret(bytes)
        } catch {
            throw CommandError.failure(error.message)
        }
    }
}
#endif
