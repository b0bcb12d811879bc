#if os(Linux)
import Foundation
import RejoinContracts
import RejoinModel
import RejoinServer
import RejoinTime
import RejoinTransport

extension FuzzTarget {
    /// A token, as a stranger makes it up.
    static let tokens = FuzzTarget(
        "tokens", words: "texts",
        promise: "no made-up token is taken, and each value has one base64url spelling",
        maximumBytes: 256,
        seeds: {
            ["1.YQ.99.", "1.YQ.99.AAAA", "", "...", "YWJj", "YQ", "Y_-", "1.1,1.2", "10000,0"]
                .map { ContiguousArray($0.utf8) } + [ContiguousArray(signer.sample.utf8)]
        },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let principal = try? signer.principal(of: text, at: WallTime(milliseconds: 0)) {
                try require(
                    text, equals: signer.token(for: principal.user, expiring: principal.expiry),
                    "fuzz.tokens.forged", whoIsHurt: "everyone: a stranger reads their rooms")
            }
            if let decoded = Base64URL.decode(bytes) {
                try require(
                    ContiguousArray(Base64URL.encode(decoded).utf8), equals: bytes,
                    "fuzz.tokens.spelling", whoIsHurt: "whoever compares tokens as text")
            }
            _ = StompNegotiation.version(accepting: text)
            if let heartbeat = StompNegotiation.heartbeat(text) {
                try require(
                    heartbeat.sends >= 0 && heartbeat.wants >= 0, "fuzz.tokens.heart-beat",
                    expected: "no negative interval", got: "\(heartbeat)", whoIsHurt: anybody)
            }
        })

    private static let signer: TokenSigner = {
        guard let secret = try? TokenSecret(ContiguousArray(repeating: 7, count: 32)) else {
            preconditionFailure("32 bytes are enough for a secret")
        }
        return TokenSigner(secret: secret)
    }()

    /// Bytes of a damaged database file.
    static let storedContent = FuzzTarget(
        "stored-content", words: "texts",
        promise: "damaged content in the database is told apart, and sound content is kept",
        seeds: {
            (0..<40).map { seed in
                var values = WireValues(seed: UInt64(seed))
                let message = values.message()
                return seed.isMultiple(of: 2)
                    ? StoredContent.encode(message.content)
                    : StoredContent.encode(message.reactions)
            }
        },
        run: { bytes in
            if let content = bytes.withUnsafeBytes({ StoredContent.content($0) }) {
                let again = StoredContent.encode(content)
                try require(
                    again.withUnsafeBytes { StoredContent.content($0) }, equals: content,
                    "fuzz.stored-content.blocks", whoIsHurt: "everyone in the room")
            }
            if let reactions = bytes.withUnsafeBytes({ StoredContent.reactions($0) }) {
                let again = StoredContent.encode(reactions)
                try require(
                    again.withUnsafeBytes { StoredContent.reactions($0) }, equals: reactions,
                    "fuzz.stored-content.reactions", whoIsHurt: "everyone in the room")
            }
        })
}

extension TokenSigner {
    fileprivate var sample: String {
        token(for: UserID("ana"), expiring: WallTime(milliseconds: 4_102_444_800_000))
    }
}
#endif
