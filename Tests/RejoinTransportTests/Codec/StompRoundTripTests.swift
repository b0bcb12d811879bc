import RejoinContracts
import RejoinTransport
import Testing

@Suite("STOMP codec: what was sent is what arrives")
struct StompRoundTripTests {
    @Test("Random frames survive every version that can carry them, in random cuts")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 12)
        for version in StompVersion.allCases {
            var frames: [StompFrame] = []
            var stream: ContiguousArray<UInt8> = []
            for _ in 0..<200 {
                let frame = Self.frame(version, &random)
                frames.append(frame)
                stream += try StompEncoder(version: version).encode(frame)
            }
            var decoder = StompDecoder(role: .server, version: version)
            var back: [StompFrame] = []
            var start = 0
            while start < stream.count {
                let size = Int.random(in: 1...700, using: &random)
                let end = min(start + size, stream.count)
                decoder.append(ContiguousArray(stream[start..<end]))
                start = end
                while let event = try decoder.next() {
                    guard case .frame(let frame) = event else { continue }
                    back.append(frame)
                }
            }
            #expect(back == frames)
            #expect(!decoder.needsMore)
            #expect(decoder.decodedOctets == stream.count)
        }
    }

    @Test("Random octets never trap, and mean the same in every cut")
    func noise() throws {
        var random = SeededGenerator(seed: 13)
        let alphabet = ContiguousArray("MESSAGE\n\n\0\r:\\cnr:a1content-length:4\n\u{E9}".utf8)
        for round in 0..<300 {
            var stream = ContiguousArray(round.isMultiple(of: 3) ? "".utf8 : "MESSAGE\na:b\n".utf8)
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                stream.append(alphabet.randomElement(using: &random) ?? 0)
            }
            _ = try SplitVerifier.verify(stream, check: "noise \(round)") {
                StompDecoding(
                    StompDecoder(
                        role: .client, version: StompVersion.allCases[round % 3],
                        limits: StompLimits(
                            headers: 2, lineOctets: 16, headerSectionOctets: 40, bodyOctets: 8)),
                    pieces: $0)
            }
        }
    }

    private static func frame(_ version: StompVersion, _ random: inout SeededGenerator)
        -> StompFrame
    {
        let plain = ["a", "destination", "C", "\\", "é", "e\u{301}", " ", "/x", "日本"]
        let special =
            switch version {
            case .v10: [] as [String]
            case .v11: [":", "\n", "\\n", "\\\\c"]
            case .v12: [":", "\n", "\r", "\r\n", "\\n", "\\\\c"]
            }
        func text(_ random: inout SeededGenerator, atLeast: Int) -> String {
            (0..<Int.random(in: atLeast...6, using: &random)).map { _ in
                (plain + special).randomElement(using: &random) ?? ""
            }.joined()
        }
        var pairs: [(String, String)] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            pairs.append((text(&random, atLeast: 1), text(&random, atLeast: 0)))
        }
        var body: ContiguousArray<UInt8> = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            body.append(UInt8.random(in: 0...255, using: &random))
        }
        if !body.isEmpty { pairs.append(("content-length", "\(body.count)")) }
        return StompFrame(.send, headers: StompHeaders(pairs), body: body)
    }
}
