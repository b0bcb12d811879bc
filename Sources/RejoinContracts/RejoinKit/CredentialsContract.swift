public import RejoinKit
internal import RejoinTransport
internal import RejoinWire

/// What every ``ChatCredentialsProvider`` must keep.
public enum CredentialsContract {
    /// The checks; the provider must be able to give credentials.
    public static func checks(_ provider: any ChatCredentialsProvider) -> [ContractCheck] {
        [
            ContractCheck("credentials.can-be-renewed", promise: "P8") {
                _ = try await provider.credentials(.initial)
                do throws(StompCredentialsFailure) {
                    _ = try await provider.credentials(.expired)
                } catch {
                    throw ContractFailure(
                        check: "credentials.can-be-renewed",
                        expected: "credentials when the last ones have expired",
                        got: error.isTransient ? "a failure for now" : "a failure for good",
                        whoIsHurt: "a person who is signed out with the first token that expires")
                }
            },
            ContractCheck("credentials.carries-no-line-ends", promise: "security") {
                try require(
                    !secrets(of: try await provider.credentials(.initial)).contains {
                        $0.utf8.contains { [0, 10, 13].contains($0) }
                    },
                    "credentials.carries-no-line-ends", expected: "values of one line",
                    got: "CR, LF or NUL in a value",
                    whoIsHurt: "the person: the connection is refused, or a header is injected")
            },
            ContractCheck("credentials.names-are-field-names", promise: "security") {
                let credentials = try await provider.credentials(.initial)
                let names =
                    credentials.httpHeaders.fields.map(\.name)
                    + credentials.stomp.upgradeHeaders.map(\.name)
                let wrong = names.filter { !$0.isFieldName }
                try require(
                    wrong.isEmpty, "credentials.names-are-field-names",
                    expected: "header names of letters, digits, - and _ (RFC 9110 section 5.1)",
                    got: inWords(wrong),
                    whoIsHurt: "everybody: no request can be written with such a header")
            },
            ContractCheck("credentials.failures-show-nothing", promise: "security") {
                let secrets = secrets(of: try await provider.credentials(.initial))
                    .filter { !$0.isEmpty }
                for reason in [StompCredentialsReason.initial, .expired] {
                    do throws(StompCredentialsFailure) {
                        _ = try await provider.credentials(reason)
                    } catch {
                        try require(
                            !secrets.contains { error.message.contains($0) },
                            "credentials.failures-show-nothing",
                            expected: "a failure whose text holds no secret",
                            got: "one that holds a header value",
                            whoIsHurt: "everybody whose token stands in a log")
                    }
                }
            },
        ]
    }

    /// The values of all headers, and of a bearer token the token alone.
    private static func secrets(of credentials: ChatCredentials) -> [String] {
        let values =
            credentials.httpHeaders.fields.map(\.value)
            + credentials.stomp.upgradeHeaders.map(\.value)
            + credentials.stomp.connectHeaders.map(\.value)
            + credentials.stomp.subscribeHeaders.map(\.value)
        return values + values.filter { $0.hasPrefix("Bearer ") }.map { String($0.dropFirst(7)) }
    }
}

extension String {
    fileprivate var isFieldName: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
