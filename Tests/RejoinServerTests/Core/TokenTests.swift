#if os(Linux)
import RejoinModel
import RejoinServer
import RejoinTime
import Testing

@Suite("Tokens (section 9: token_expired and token_invalid differ)")
struct TokenTests {
    private let signer: TokenSigner
    private let now = WallTime(milliseconds: 1_700_000_000_000)

    init() throws {
        signer = TokenSigner(secret: try TokenSecret(Array("0123456789abcdef".utf8)))
    }

    private func code(_ token: String, at now: WallTime) -> BackendFailure.Code? {
        do throws(BackendFailure) {
            _ = try signer.principal(of: token, at: now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "a token names its user until it expires", arguments: ["ann", "ann.b", "안나", "a b\n"])
    func roundTrip(name: String) throws {
        let expiry = now.advanced(by: .seconds(60))
        let token = signer.token(for: UserID(name), expiring: expiry)
        let principal = try signer.principal(of: token, at: now)
        #expect(principal.user == UserID(name))
        #expect(principal.expiry == expiry)
        #expect(code(token, at: expiry) == .tokenExpired)
        #expect(code(token, at: WallTime(milliseconds: expiry.milliseconds - 1)) == nil)
    }

    @Test("no changed, shortened or lengthened token passes, expired or not")
    func tampering() {
        let token = signer.token(for: UserID("ann"), expiring: now.advanced(by: .seconds(60)))
        let bytes = Array(token.utf8)
        for index in bytes.indices {
            for other in [UInt8(ascii: "A"), UInt8(ascii: "."), UInt8(ascii: "0"), 0, 0xFF]
            where other != bytes[index] {
                var changed = bytes
                changed[index] = other
                let text = String(decoding: changed, as: UTF8.self)
                #expect(code(text, at: now) == .tokenInvalid)
            }
            let shorter = String(decoding: bytes[..<index], as: UTF8.self)
            #expect(code(shorter, at: now) == .tokenInvalid)
        }
        #expect(code(token + "A", at: now) == .tokenInvalid)
        #expect(code(token + "=", at: now) == .tokenInvalid)
        #expect(code(String(repeating: "a.", count: 5_000), at: now) == .tokenInvalid)
    }

    @Test("a token of another secret is invalid, also when expired")
    func otherSecret() throws {
        let other = TokenSigner(secret: try TokenSecret(Array("0123456789abcdeF".utf8)))
        let token = other.token(for: UserID("ann"), expiring: now.advanced(by: .seconds(-60)))
        #expect(code(token, at: now) == .tokenInvalid)
    }

    @Test("a short secret is refused, and none is ever printed")
    func secrets() throws {
        #expect(throws: ReferenceServerError.self) { try TokenSecret(Array("short".utf8)) }
        let secret = try TokenSecret(Array("0123456789abcdef".utf8))
        #expect("\(secret)" == "TokenSecret(hidden)")
    }

    @Test("HMAC-SHA256 gives the codes of RFC 4231, test case 6")
    func vector() throws {
        let secret = try TokenSecret([UInt8](repeating: 0xAA, count: 131))
        let text = "Test Using Larger Than Block-Size Key - Hash Key First"
        let hex = secret.code(of: Array(text.utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
        #expect(hex == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test(
        "base64url has one spelling for each value (RFC 4648 sections 5 and 3.5)",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, encoded: String) {
        #expect(Base64URL.encode(plain.utf8) == encoded)
        #expect(Base64URL.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test("other spellings are refused", arguments: ["Zh", "Zg==", "Zm9", "Z", "Zm+v", "Zm/v"])
    func oddBase64(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
#endif
