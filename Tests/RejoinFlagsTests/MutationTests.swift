import RejoinContracts
import RejoinFlags
import RejoinJSON
import Testing

/// Bad input never traps: a flags file comes from a server, a person's editor or half a disk write.
@Suite("Damaged flags files")
struct MutationTests {
    @Test("Each is read or refused with a place inside it, and what is read can be evaluated")
    func mutations() throws {
        let whole = try Vectors.bytes("sample-flags.json")
        var random = SeededGenerator(seed: 4)
        let pieces: [ContiguousArray<UInt8>] = [
            "{", "}", "[", "]", "\"", ",", ":", "null", "true", "-1", "1e400", "\\u0000", "é",
            "\"$ref\"", "\"fractional\"", "\"var\"", "{}", "[]", "9223372036854775808",
        ].map { ContiguousArray($0.utf8) }
        var read = 0
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...8, using: &random))
                let piece = try #require(pieces.randomElement(using: &random))
                bytes.replaceSubrange(start..<end, with: piece)
            }
            let flags: FlagSet
            do throws(FlagFileError) {
                flags = try FlagSet(bytes)
            } catch {
                let place = error.location?.offset ?? 0
                #expect(place <= bytes.count)
                continue
            }
            read += 1
            for diagnostic in flags.diagnostics {
                #expect(diagnostic.location.offset < bytes.count)
            }
            for flag in flags.flags {
                let answer = flags.evaluate(
                    flag.key, as: .string, default: "code", for: context("u", ["email": "x"]))
                #expect(answer.value != "code" || answer.reason != .targetingMatch)
            }
        }
        #expect(read > 100, "too few are read to say anything: \(read)")
    }
}
