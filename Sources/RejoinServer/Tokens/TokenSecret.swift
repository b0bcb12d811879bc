#if os(Linux)
import COpenSSL

/// The key that signs tokens. It is never printed.
public struct TokenSecret: Sendable, CustomStringConvertible {
    /// The shortest secret taken, in bytes: the half of the digest, which RFC 2104 section 3
    /// calls the least that keeps its strength.
    public static let minimumBytes = 16

    private let key: [UInt8]

    /// Takes a secret.
    ///
    /// - Throws: ``ReferenceServerError`` of code `weakSecret` where it is shorter than
    ///   ``minimumBytes``.
    public init(_ key: some Collection<UInt8>) throws(ReferenceServerError) {
        guard key.count >= Self.minimumBytes else {
            throw ReferenceServerError(
                .weakSecret,
                "the token secret has \(key.count) bytes; it must have at least "
                    + "\(Self.minimumBytes)")
        }
        self.key = Array(key)
    }

    private init(drawn key: [UInt8]) {
        self.key = key
    }

    /// Draws a secret of 32 bytes from the system, for tests and demonstrations.
    public static func random() -> TokenSecret {
        var generator = SystemRandomNumberGenerator()
        return TokenSecret(
            drawn: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    public var description: String { "TokenSecret(hidden)" }

    /// HMAC-SHA256 (RFC 2104, FIPS 180-4).
    package func code(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        HMAC(
            EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &digest, &length)
        return digest
    }

    /// Compares in a time that does not depend on where the difference lies.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
#endif
