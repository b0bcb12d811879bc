import Foundation
import RejoinContracts
import RejoinModel
import RejoinTime

/// A room as people fill it: English and Korean, an escape here and there, a picture now and then,
/// some reactions.
struct JSONCorpus {
    static let room = RoomID("team-4711")
    static let pageSize = 200

    private var random: SeededGenerator
    private var next: UInt64 = 7_000_000_000_000_000_000

    private static let members = (0..<12).map { index in
        Member(
            id: UserID("01HZX3K9Q7W4E6R8T0Y2U1I\(100 + index)"), name: "김민준 \(index)",
            avatar: "https://cdn.example.com/avatars/\(index).jpg", version: UInt64(index))
    }

    private static let words = [
        "when", "do", "we", "meet", "again", "the", "harbour", "tomorrow", "\"quoted\"", "ok",
        "안녕하세요", "내일", "회의는", "몇", "시에", "시작해요?", "감사합니다", "😀", "see\nbelow",
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func page() -> HistoryPage {
        let messages = (0..<Self.pageSize).map { _ in message() }
        return HistoryPage(
            messages: messages, members: Self.members, from: messages.first?.id,
            through: messages.last?.id, hasBefore: true, hasAfter: false, tip: messages.last?.id,
            revision: messages.last?.revision)
    }

    mutating func event() -> RoomEvent {
        let message = message()
        return RoomEvent(
            room: Self.room, kind: .created(message, author: Self.members[0]),
            revision: message.revision)
    }

    private mutating func message() -> Message {
        next += UInt64.random(in: 1...900, using: &random)
        let count = Int.random(in: 2...24, using: &random)
        let text = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }
        var content: [ContentBlock] = [.text(text.joined(separator: " "))]
        if Int.random(in: 0..<10, using: &random) == 0 {
            content.append(
                .image(
                    Media(
                        url: "https://cdn.example.com/media/\(next).jpg", name: "사진 \(next).jpg",
                        type: "image/jpeg", byteCount: 348_112, width: 3_024, height: 4_032)))
        }
        let hasReactions = Int.random(in: 0..<5, using: &random) == 0
        let bits = UInt128.random(in: .min ... .max, using: &random)
        return Message(
            id: MessageID(UInt128(next)),
            author: Self.members.randomElement(using: &random)?.id ?? UserID("nobody"),
            clientID: ClientMessageID(
                withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }),
            sentAt: WallTime(milliseconds: 1_764_460_800_000 + Int64(next % 1_000_000)),
            content: content, revision: Revision(next % 1_000_000_007),
            reactions: hasReactions
                ? [Reaction(emoji: "👍", users: Self.members.prefix(3).map(\.id))] : [])
    }
}
