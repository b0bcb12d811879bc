import Foundation
import RejoinModel
import RejoinWire

extension Suite {
    /// Reading history pages and events against Foundation's decoder.
    static let json = Suite(
        name: "json",
        summary: "history pages of 200 messages and live events, read and written as JSON"
    ) { report in
        try JSONBenchmark(report).run()
    }
}

private struct JSONBenchmark {
    private let report: Report
    private let format = ReferenceFormat()
    private let call = BackendCall.history(JSONCorpus.room, .newest, limit: JSONCorpus.pageSize)
    private let pages: [HistoryPage]
    private let responses: [HTTPResponse]
    private let events: [ContiguousArray<UInt8>]

    private static let pageCount = 20
    private static let eventCount = 2_000

    init(_ report: Report) {
        self.report = report
        var corpus = JSONCorpus(seed: 1)
        pages = (0..<Self.pageCount).map { _ in corpus.page() }
        responses = pages.map { [format, call] in format.encode(.history($0), to: call) }
        events = (0..<Self.eventCount).map { [format] _ in format.encode(corpus.event()) }
    }

    func run() throws {
        let octets = responses.reduce(0) { $0 + $1.body.count }
        let messages = Self.pageCount * JSONCorpus.pageSize
        report.progress("\(Self.pageCount) pages, \(octets / messages) octets a message")
        try compare(
            "read pages", octets: octets, peer: "JSONDecoder", promised: 3,
            own: {
                for response in responses {
                    keep(try format.decode(response, answering: call))
                }
            },
            other: {
                let decoder = JSONDecoder()
                for response in responses {
                    keep(try decoder.decode(CodablePage.self, from: Data(response.body)))
                }
            })
        if let count = try Measure.allocations({
            for response in responses { keep(try format.decode(response, answering: call)) }
        }) {
            report.add(
                Figure(
                    name: "read pages, memory", value: count / Double(messages),
                    unit: "allocations/message"))
        }
        try compare(
            "read events", octets: events.reduce(0) { $0 + $1.count }, peer: "JSONDecoder",
            promised: 3,
            own: {
                let destination = format.destination(of: JSONCorpus.room)
                for event in events { keep(try format.decodeEvent(event, at: destination)) }
            },
            other: {
                let decoder = JSONDecoder()
                for event in events {
                    keep(try decoder.decode(CodableEvent.self, from: Data(event)))
                }
            })
        let codable = try responses.map {
            try JSONDecoder().decode(CodablePage.self, from: Data($0.body))
        }
        try compare(
            "write pages", octets: octets, peer: "JSONEncoder", promised: nil,
            own: { for page in pages { keep(format.encode(.history(page), to: call)) } },
            other: {
                let encoder = JSONEncoder()
                for page in codable { keep(try encoder.encode(page)) }
            })
    }

    private func compare(
        _ name: String, octets: Int, peer: String, promised: Double?,
        own: @escaping () throws -> Void, other: @escaping () throws -> Void
    ) throws {
        report.progress("\(name), \(Measure.rounds) rounds")
        let times = try Measure.medians([
            { try Measure.nanoseconds(own) }, { try Measure.nanoseconds(other) },
        ])
        // Octets per nanosecond times 1,000 are megabytes per second.
        let speeds = times.map { $0.map { Double(octets) / $0 * 1_000 } }
        guard let speed = speeds[0] else { return }
        report.add(.throughput(name, speed, "MB/s", peers: [(peer, speeds[1], promised)]))
    }
}

// MARK: The same shapes for Foundation

private struct CodablePage: Codable {
    let messages: [CodableMessage]
    let members: [CodableMember]
    let from: String?
    let through: String?
    let hasBefore: Bool
    let hasAfter: Bool
    let tip: String?
    let horizon: String?
    let revision: UInt64?
}

struct CodableMessage: Codable {
    let id: String
    let author: String
    let clientID: UUID?
    let sentAt: Int64
    let content: [CodableBlock]
    let revision: UInt64?
    let editedAt: Int64?
    let deleted: Bool?
    let reactions: [CodableReaction]?
}

struct CodableBlock: Codable {
    let type: String
    let text: String?
    let url: String?
    let name: String?
    let mediaType: String?
    let bytes: Int64?
    let width: Int?
    let height: Int?
}

struct CodableReaction: Codable {
    let emoji: String
    let users: [String]
}

struct CodableMember: Codable {
    let id: String
    let name: String
    let avatar: String?
    let version: UInt64?
}

private struct CodableEvent: Codable {
    let type: String
    let room: String
    let revision: UInt64?
    let message: CodableMessage?
    let member: CodableMember?
}
