import Foundation
public import RejoinModel
import RejoinTime

/// Draws values of the model from a seed, for tests, benchmarks and simulations.
public struct ModelGenerator: Sendable {
    /// What everything is drawn from.
    public var random: SeededGenerator

    /// Creates a generator.
    public init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// One of a few people, so that authors repeat.
    public mutating func user() -> UserID {
        UserID("user-\(Int.random(in: 0..<7, using: &random))")
    }

    /// A person at a random version.
    public mutating func member() -> Member {
        let id = user()
        let version = UInt64.random(in: 0..<5, using: &random)
        return Member(id: id, name: "\(id) v\(version)", version: version)
    }

    /// A key.
    public mutating func clientID() -> ClientMessageID {
        let (a, b) = (random.next(), random.next())
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: value >> (8 * index))
        }
        return ClientMessageID(
            UUID(
                uuid: (
                    byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5),
                    byte(a, 6), byte(a, 7), byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3),
                    byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
                )))
    }

    /// A text of one to twelve words.
    public mutating func text() -> String {
        let words = [
            "rejoin", "the", "room", "after", "a", "tunnel", "안녕하세요", "grüße", "🚇", "again",
        ]
        return (0..<Int.random(in: 1...12, using: &random))
            .map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
            .joined(separator: " ")
    }

    /// Content: mostly a text, now and then another kind.
    public mutating func content() -> [ContentBlock] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            [
                .image(
                    Media(url: "https://example.org/\(random.next()).jpg", width: 640, height: 480))
            ]
        case 1:
            [.text(text()), .linkPreview(LinkPreview(url: "https://example.org", title: text()))]
        case 2: [.custom(type: "poll", payload: "{\"options\":3}")]
        default: [.text(text())]
        }
    }

    /// A message with an ID.
    public mutating func message(
        _ id: MessageID, revision: Revision? = nil, clientID: ClientMessageID? = nil
    ) -> Message {
        Message(
            id: id, author: user(), clientID: clientID,
            sentAt: WallTime(milliseconds: Int64(truncatingIfNeeded: id.rawValue)),
            content: content(), revision: revision)
    }

    /// `count` messages, ascending, `spacing` IDs apart.
    public mutating func messages(
        _ count: Int, from first: MessageID = MessageID(1_000), spacing: UInt128 = 4
    ) -> [Message] {
        (0..<count).map { index in
            message(
                MessageID(first.rawValue + UInt128(index) * spacing),
                revision: Revision(UInt64(index) + 1))
        }
    }
}
