import Foundation
import RejoinContracts
import RejoinTransport

extension Suite {
    /// STOMP decoding and encoding against Netty and stomp.py.
    static let stomp = Suite(
        name: "stomp",
        summary: "20,000 MESSAGE frames as brokers send them, decoded and encoded"
    ) { report in
        try StompBenchmark(report).run()
    }
}

private struct StompBenchmark {
    private let report: Report
    private let stream: ContiguousArray<UInt8>
    private let chunks: [ContiguousArray<UInt8>]
    private let frames: [StompFrame]
    private let corpus: URL

    /// The payload of a TCP segment on Ethernet.
    private static let chunkSize = 1_460
    private static let frameCount = 20_000
    /// How often we go through the stream in a round, so that our rounds last about as long as
    /// Netty's and caches are as warm.
    private static let passes = 64

    init(_ report: Report) throws {
        self.report = report
        stream = StompCorpus.stream(frames: Self.frameCount, seed: 1)
        chunks = stride(from: 0, to: stream.count, by: Self.chunkSize).map { [stream] start in
            ContiguousArray(stream[start..<min(start + Self.chunkSize, stream.count)])
        }
        frames = try Self.decode([stream])
        corpus = FileManager.default.temporaryDirectory
            .appendingPathComponent("rejoin-stomp-\(ProcessInfo.processInfo.processIdentifier)")
        try Data(stream).write(to: corpus)
    }

    func run() throws {
        defer { try? FileManager.default.removeItem(at: corpus) }
        report.progress("\(frames.count) frames, \(stream.count / frames.count) octets each")
        report.progress("starting and warming up the peers")
        let netty = try PeerProcess(
            Peers.built.appendingPathComponent("stomp-netty"), [corpus.path])
        let python = try PeerProcess(
            Peers.built.appendingPathComponent("stomp-py"), [corpus.path])
        for _ in 0..<3 {
            for task in ["decode", "chunks", "encode"] { _ = try netty?.round(task) }
        }

        try compare("decode whole", task: "decode", netty, promised: 8, python) {
            try Self.drain([stream])
        }
        try compare("decode in 1,460-octet chunks", task: "chunks", netty, promised: 5, python) {
            try Self.drain(chunks)
        }
        let encoder = StompEncoder()
        try compare("encode", task: "encode", netty, promised: 3, python) {
            for frame in frames { keep(try encoder.encode(frame)) }
        }
        try allocations("decode whole") { try Self.drain([stream]) }
        try allocations("decode in 1,460-octet chunks") { try Self.drain(chunks) }
        try allocations("encode", most: 1) {
            for frame in frames { keep(try encoder.encode(frame)) }
        }
    }

    private func compare(
        _ name: String, task: String, _ netty: PeerProcess?, promised: Double,
        _ python: PeerProcess?, _ body: @escaping () throws -> Void
    ) throws {
        report.progress("\(name), \(Measure.rounds) rounds")
        let times = try Measure.medians([
            {
                try Measure.processorNanoseconds {
                    for _ in 0..<Self.passes { try body() }
                } / Double(Self.passes)
            },
            { try netty?.round(task) },
            { try python?.round(task) },
        ])
        // Octets per nanosecond times 1,000 are megabytes per second.
        let speeds = times.map { $0.map { Double(stream.count) / $0 * 1_000 } }
        guard let own = speeds[0] else { return }
        report.add(
            .throughput(
                name, own, "MB/s",
                peers: [("Netty", speeds[1], promised), ("stomp.py", speeds[2], nil)]))
    }

    private func allocations(_ name: String, most: Double = 2, _ body: () throws -> Void) throws {
        guard let count = try Measure.allocations(body) else { return }
        // A few allocations per stream are the decoder's own; they vanish in the rounding.
        let each = (count / Double(frames.count) * 1_000).rounded() / 1_000
        report.add(
            Figure(
                name: "\(name), memory", value: each, unit: "allocations/frame",
                bound: .atMost(most)))
    }

    /// Decodes and keeps all frames.
    private static func decode(_ chunks: [ContiguousArray<UInt8>]) throws -> [StompFrame] {
        var frames: [StompFrame] = []
        frames.reserveCapacity(frameCount)
        var decoder = StompDecoder(role: .client)
        for chunk in chunks {
            decoder.append(chunk)
            while let event = try decoder.next() {
                if case .frame(let frame) = event { frames.append(frame) }
            }
        }
        return frames
    }

    /// Decodes; each frame is handed over and dropped, as the peers' are.
    private static func drain(_ chunks: [ContiguousArray<UInt8>]) throws {
        var count = 0
        var decoder = StompDecoder(role: .client)
        for chunk in chunks {
            decoder.append(chunk)
            while let event = try decoder.next() {
                if case .frame = event { count += 1 }
            }
        }
        precondition(count == frameCount, "the decoder lost frames")
    }
}
