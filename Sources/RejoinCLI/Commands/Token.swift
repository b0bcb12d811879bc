#if os(Linux)
import RejoinJSON
import RejoinModel
import RejoinServer
import RejoinTime

extension Command {
    /// `rejoin token`.
    static let token = Command(
        name: "token", summary: "issue a token for the reference backend",
        help: """
            usage: rejoin token --user NAME [--expires 1h] [--secret FILE] [--json]

            Prints a token with which NAME may use a server that has the same secret.

              --user NAME      whose token it is
              --expires TIME   how long it is good: a number from 1 to 36500 and s, m, h or d
                               (default 1h)
              --secret FILE    the file with the secret
              --json           prints {"user":…,"token":…,"expires":…} (milliseconds since 1970)

            \(ServerSecret.help)
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        guard let user = try arguments.option("--user"), !user.isEmpty else {
            throw CommandError.usage("--user NAME says whose token it is")
        }
        // Bytes that are no UTF-8 have become this sign before they come here.
        let fault =
            user.unicodeScalars.contains("\u{FFFD}")
            ? "this name is no UTF-8" : ReferenceServer.fault(ofID: user)
        if let fault { throw CommandError.usage("--user must be somebody's ID: \(fault)") }
        let lifetime = try Self.lifetime(try arguments.option("--expires") ?? "1h")
        let secret = try ServerSecret.take(from: &arguments)
        let expiry = SystemTime().wallNow.advanced(by: lifetime)
        let token = TokenSigner(secret: secret).token(for: UserID(user), expiring: expiry)
        if isJSON {
            var line = JSONWriter()
            line.beginObject()
            line.member("user", user)
            line.member("token", token)
            line.member("expires", expiry.milliseconds)
            line.endObject()
            try StandardStreams.say(String(decoding: line.bytes, as: UTF8.self))
        } else {
            try StandardStreams.say(token)
        }
        return 0
    }

    private static func lifetime(_ text: String) throws(CommandError) -> Duration {
        let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ seconds[$0] }),
            let count = Int64(text.dropLast()), (1...36_500).contains(count)
        else {
            throw .usage(
                "--expires must be a number from 1 to 36500 and s, m, h or d, such as 1h, not "
                    + "'\(text)'")
        }
        return .seconds(count * unit)
    }
}
#endif
