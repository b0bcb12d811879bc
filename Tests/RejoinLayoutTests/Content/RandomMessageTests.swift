import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

/// Messages that nobody would write, under shapers that no font is.
@Suite("Random messages hold the gallery's invariants")
struct RandomMessageTests {
    @Test("Blocks, states and texts in any combination", arguments: SyntheticShaper.manners)
    func random(_ manner: SyntheticShaper.Manner) {
        var random = SeededGenerator(seed: manner.seed)
        let preparer = TextPreparer(shaper: SyntheticShaper(manner))
        for _ in 0..<12 {
            let environment = Self.environment(&random)
            let measurer = RowMeasurer(
                preparer: preparer, environment: environment, me: UserID("me"))
            for number in 0..<25 {
                let row = Self.row(UInt64(number), &random)
                let data = measurer.measure(row)
                let place = "\(row.id), \(environment.width) at \(environment.scale)"
                GalleryTests.checkHolders(data, place)
                GalleryTests.checkSiblings(data, place)
                GalleryTests.checkTexts(data, place)
                GalleryTests.checkReading(data, place)
            }
        }
    }

    private static func environment(_ random: inout SeededGenerator) -> LayoutEnvironment {
        let scale = Int32.random(in: 1...3, using: &random)
        return LayoutEnvironment(
            scale: scale, width: Int32.random(in: 160...900, using: &random) * scale,
            typeSize: Int32.random(in: 50...400, using: &random),
            isBoldText: Bool.random(using: &random),
            direction: Bool.random(using: &random) ? .leftToRight : .rightToLeft,
            locale: Locale(identifier: "en_GB"), today: MessageGallery.today)
    }

    private static func row(_ id: UInt64, _ random: inout SeededGenerator) -> TimelineRow {
        let count = Int.random(in: 0...6, using: &random)
        let reactions = Int.random(in: 0...9, using: &random)
        let authors = ["me", "ann", ""]
        let message = Message(
            id: MessageID(UInt128(id)), author: UserID(authors[Int(id % 3)]),
            sentAt: WallTime(milliseconds: Int64(id) * 1_000_000),
            content: (0..<count).map { _ in block(&random) },
            editedAt: Bool.random(using: &random) ? WallTime(milliseconds: 0) : nil,
            isDeleted: Int.random(in: 0..<10, using: &random) == 0,
            reactions: (0..<reactions).map { _ in
                Reaction(emoji: text(&random), users: [UserID("me"), UserID("ben")])
            })
        let row = RoomRow(id: .message(message.id), content: .message(message))
        let group = GroupPosition.allCases.randomElement(using: &random) ?? .single
        return TimelineRow(id: .message(row.id), content: .message(row, group))
    }

    private static func block(_ random: inout SeededGenerator) -> ContentBlock {
        let size = Int.random(in: -1...3_000, using: &random)
        let media = Media(
            url: text(&random), name: Bool.random(using: &random) ? text(&random) : nil,
            type: text(&random), byteCount: Int64(size), width: size,
            height: Int.random(in: 0...3_000, using: &random),
            durationMilliseconds: Bool.random(using: &random) ? Int64(size) * 1_000 : nil)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .text(text(&random))
        case 1, 2: return .image(media)
        case 3: return .video(media)
        case 4: return .audio(media)
        case 5: return .file(media)
        case 6:
            return .linkPreview(
                LinkPreview(
                    url: text(&random), title: text(&random), summary: text(&random),
                    image: Bool.random(using: &random) ? media : nil))
        case 7:
            return .quote(
                Quote(message: MessageID(1), author: UserID("ann"), excerpt: text(&random)))
        case 8: return .systemNotice(text(&random))
        default: return .callRecord(CallRecord(missed: size.isMultiple(of: 2)))
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let words = [
            "a", "hello", "שלום", "مرحبا", "안녕하세요", "漢字", "👩‍👩‍👧", "\n", " ", "\t", "{name}",
            "https://a.example/b?c", "\u{AD}", "\u{2028}", "12:30", "e\u{301}\u{302}", "",
            "incomprehensibilities",
        ]
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: Bool.random(using: &random) ? " " : "")
    }
}
