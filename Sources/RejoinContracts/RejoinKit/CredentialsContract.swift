public import RejoinKit
internal import RejoinTransport
internal import RejoinWire

/// What every ``ChatCredentialsProvider`` must keep.
public enum CredentialsContract {
    /// The checks; the provider must be able to give credentials.
    public static func checks(_ provider: any ChatCredentialsProvider) -> [ContractCheck] {
        [
            ContractCheck("credentials.shows-nothing", promise: "security") {
                let credentials = try await provider.credentials(.initial)
                let secrets = credentials.httpHeaders.fields.map(\.value).filter { !$0.isEmpty }
                let shown = "\(credentials) \(String(reflecting: credentials))"
                try require(
                    !secrets.contains { shown.contains($0) }, "credentials.shows-nothing",
                    expected: "a description without secrets", got: "one that holds a header value",
                    whoIsHurt: "everybody whose token stands in a log")
            },
            ContractCheck("credentials.carries-no-line-ends", promise: "security") {
                let credentials = try await provider.credentials(.initial)
                let values =
                    credentials.httpHeaders.fields.map(\.value)
                    + credentials.stomp.upgradeHeaders.map(\.value)
                    + credentials.stomp.connectHeaders.map(\.value)
                try require(
                    !values.contains { $0.utf8.contains { [0, 10, 13].contains($0) } },
                    "credentials.carries-no-line-ends", expected: "values of one line",
                    got: "CR, LF or NUL in a value",
                    whoIsHurt: "the person: the connection is refused, or a header is injected")
            },
            ContractCheck("credentials.can-be-renewed", promise: "P8") {
                _ = try await provider.credentials(.initial)
                _ = try await provider.credentials(.expired)
            },
        ]
    }
}
