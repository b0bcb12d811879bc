import RejoinContracts
import RejoinTransport

extension FuzzTarget {
    /// The first byte chooses role, version and limits, the second the cuts; the rest is the
    /// stream.
    static let stompDecoder = FuzzTarget(
        "stomp-decoder", words: "stomp",
        promise: "a stream means the same however it is cut, and its frames survive encoding",
        seeds: {
            StompCodecContract.vectors.map { vector in
                let version = StompVersion.allCases.firstIndex(of: vector.version) ?? 0
                let role: UInt8 = vector.role == .client ? 0 : 1
                return [role | UInt8(version) << 1, 7] + vector.stream.prefix(1_000)
            }
        },
        run: { bytes in
            var input = FuzzInput(bytes)
            let choice = input.byte()
            var random = SeededGenerator(seed: UInt64(input.byte()))
            let stream = input.rest()
            let isTight = choice & 8 == 8
            let limits =
                isTight
                ? StompLimits(headers: 2, lineOctets: 24, headerSectionOctets: 64, bodyOctets: 12)
                : .standard
            let decoder = StompDecoder(
                role: choice & 1 == 0 ? .client : .server,
                version: StompVersion.allCases[Int(choice >> 1 & 3) % 3], limits: limits)

            let whole = StompDecoding(decoder, pieces: [stream])
            for _ in 0..<2 {
                try require(
                    StompDecoding(decoder, pieces: cut(stream, &random)), equals: whole,
                    "fuzz.stomp-decoder.cuts", whoIsHurt: anybody)
            }
            if let offset = whole.error?.offset {
                try require(
                    (0...stream.count).contains(offset), "fuzz.stomp-decoder.place",
                    expected: "a place within \(stream.count) octets", got: "\(offset)",
                    whoIsHurt: "whoever looks for the fault in a capture")
            }
            for case .frame(let frame) in whole.events {
                try check(frame, of: decoder, within: limits)
            }
        })

    private static func cut(
        _ stream: ContiguousArray<UInt8>, _ random: inout SeededGenerator
    ) -> [ContiguousArray<UInt8>] {
        var pieces: [ContiguousArray<UInt8>] = []
        var start = 0
        while start < stream.count {
            let end = min(start + Int.random(in: 1...9, using: &random), stream.count)
            pieces.append(ContiguousArray(stream[start..<end]))
            start = end
        }
        return pieces
    }

    private static func check(
        _ frame: StompFrame, of decoder: StompDecoder, within limits: StompLimits
    ) throws {
        try require(
            frame.headers.count <= limits.headers && frame.body.count <= limits.bodyOctets,
            "fuzz.stomp-decoder.limits", expected: "a frame within the limits", got: "\(frame)",
            whoIsHurt: "whoever pays for the memory")
        let bytes: ContiguousArray<UInt8>
        do throws(StompError) {
            bytes = try StompEncoder(version: decoder.version).encode(frame)
        } catch {
            let isExcused =
                error.code == .headerNotRepresentable
                && (decoder.version != .v12 || frame.command.hasRawHeaders)
            try require(
                isExcused, "fuzz.stomp-decoder.encodable", expected: "what was read can be written",
                got: "\(error)", whoIsHurt: "whoever passes frames on")
            return
        }
        let again = StompDecoding(
            StompDecoder(role: decoder.role, version: decoder.version), pieces: [bytes])
        var expected = frame
        if !frame.body.isEmpty, !frame.headers.contains("content-length") {
            expected.headers.append("content-length", "\(frame.body.count)")
        }
        try require(
            again, equals: StompDecoding(events: [.frame(expected)]), "fuzz.stomp-decoder.again",
            whoIsHurt: "whoever passes frames on")
    }
}
