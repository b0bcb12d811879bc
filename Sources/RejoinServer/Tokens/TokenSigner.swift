#if os(Linux)
public import RejoinModel
public import RejoinTime

/// Issues and checks tokens: `1.USER.EXPIRY.CODE`, the user and the code in base64url, the
/// expiry in milliseconds since 1970, the code an HMAC-SHA256 over all that precedes it.
///
/// There is one algorithm and it is not named in the token, so a token cannot choose it.
public struct TokenSigner: Sendable {
    /// The longest token that is looked at, in bytes.
    static let maximumBytes = 1_024

    private let secret: TokenSecret

    /// Creates a signer.
    public init(secret: TokenSecret) {
        self.secret = secret
    }

    /// A token that names `user` and is good until `expiry`.
    public func token(for user: UserID, expiring expiry: WallTime) -> String {
        let head = "1.\(Base64URL.encode(user.rawValue.utf8)).\(expiry.milliseconds)"
        return "\(head).\(Base64URL.encode(secret.code(of: Array(head.utf8))))"
    }

    /// Who holds a token.
    ///
    /// - Throws: ``BackendFailure`` of code `token_invalid`, or `token_expired` for a token
    ///   that we have signed and whose time has passed.
    package func principal(of token: String, at now: WallTime) throws(BackendFailure)
        -> Principal
    {
        let invalid = BackendFailure(
            .tokenInvalid, "the token was not issued by this server; ask for a new one")
        let bytes = Array(token.utf8.prefix(Self.maximumBytes + 1))
        guard bytes.count <= Self.maximumBytes,
            let lastDot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let code = Base64URL.decode(bytes[(lastDot + 1)...]),
            TokenSecret.isEqual(code, secret.code(of: Array(bytes[..<lastDot])))
        else { throw invalid }
        // The code is right, so we wrote this ourselves; still nothing is taken for granted.
        let fields = bytes[..<lastDot].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].elementsEqual("1".utf8),
            let name = Base64URL.decode(fields[1]),
            let user = String(validating: name, as: UTF8.self),
            let expiry = Int64(String(decoding: fields[2], as: UTF8.self))
        else { throw invalid }
        guard now < WallTime(milliseconds: expiry) else {
            throw BackendFailure(.tokenExpired, "the token has expired; ask for a new one")
        }
        return Principal(user: UserID(user), expiry: WallTime(milliseconds: expiry))
    }
}

/// Who asks, proven by a token.
package struct Principal: Hashable, Sendable {
    package let user: UserID
    package let expiry: WallTime
}
#endif
