import RejoinContracts
import RejoinTransport

extension FuzzTarget {
    /// Decisions: the command, the encoder's settings, headers, and a body.
    static let stompEncoder = FuzzTarget(
        "stomp-encoder", words: "stomp",
        promise: "what is encoded at all reads back as it was: no header injects another",
        seeds: {
            // Two headers, an escape in each, and a body with a NUL.
            let texts = ["ab", "c:d", "\\", "\r\n"]
            let headers = texts.flatMap { [UInt8($0.utf8.count)] + $0.utf8 }
            return StompCommand.allCases.indices.flatMap { command in
                (0..<4).map { (settings: UInt8) in
                    ContiguousArray([UInt8(command), settings, 2] + headers + "body\0".utf8)
                }
            }
        },
        run: { bytes in
            var input = FuzzInput(bytes)
            let command = input.pick(StompCommand.allCases)
            let settings = input.byte()
            let version = StompVersion.allCases[Int(settings & 3) % 3]
            let encoder = StompEncoder(
                version: version, contentLength: settings & 4 == 0 ? .always : .onlyIfNeeded)
            let pairs = (0..<input.number(below: 6)).map { _ in (input.text(), input.text()) }
            let frame = StompFrame(command, headers: StompHeaders(pairs), body: input.rest())

            guard let encoded = try? encoder.encode(frame) else { return }
            let decoding = StompDecoding(
                StompDecoder(role: command.isFromServer ? .client : .server, version: version),
                pieces: [encoded])
            guard case .frame(var read)? = decoding.events.first, decoding.events.count == 1,
                decoding.error == nil, !decoding.needsMore
            else {
                throw ContractFailure(
                    check: "fuzz.stomp-encoder.one-frame", expected: "one frame",
                    got: "\(decoding)", whoIsHurt: anybody)
            }
            if !frame.headers.contains("content-length") {
                read.headers.removeAll("content-length")
            }
            try require(read, equals: frame, "fuzz.stomp-encoder.same", whoIsHurt: anybody)
        })
}
