import Foundation

/// The backend that `--server` names.
struct ServerAddress {
    /// Where the API is, without the path that the API adds itself.
    let origin: URL

    /// Reads `--server URL`. What `rejoin serve` prints is taken too: `/v1` belongs to each
    /// request, and is not asked for twice.
    init(_ text: String) throws(CommandError) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false
        else {
            throw .usage(
                "--server must be an http: or https: URL with a host, not "
                    + "'\(Self.withoutSecrets(text))'")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .usage(
                "--server must not hold a user or a password: the person is known by their token; "
                    + "give it by REJOIN_TOKEN")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw .usage("--server must end before the '?' or '#': it is where the API begins")
        }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        if parts.path.hasSuffix("/v1") { parts.path.removeLast(3) }
        guard let url = parts.url else {
            throw .usage("--server is no URL; write it such as https://chat.example.com")
        }
        origin = url
    }

    /// What stands before an `@` may be a password.
    private static func withoutSecrets(_ text: String) -> String {
        text.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }

    /// The WebSocket at a path of the same host.
    func socket(at path: String) -> String {
        var parts = URLComponents(url: origin, resolvingAgainstBaseURL: true)
        parts?.scheme = origin.scheme?.lowercased() == "https" ? "wss" : "ws"
        parts?.path = path
        return parts?.string ?? ""
    }
}

/// A token, and where it was found, so that a refusal can name the place.
struct GivenToken {
    let text: String
    /// `--token`, or the variable.
    let source: String

    /// Takes an option such as `--second-token` out, or reads `REJOIN_SECOND_TOKEN`.
    static func take(_ option: String, from arguments: inout Arguments) throws(CommandError)
        -> GivenToken?
    {
        let variable = "REJOIN_" + option.dropFirst(2).uppercased().replacing("-", with: "_")
        if let text = try arguments.option(option) {
            return GivenToken(text: text, source: option)
        }
        return ProcessInfo.processInfo.environment[variable].map {
            GivenToken(text: $0, source: variable)
        }
    }
}
