public import Foundation
public import RejoinLayout
public import RejoinModel
import RejoinTime

/// A fixed gallery of rows: every kind of content, combinations of them, and everything that stands
/// between messages. Layouts of it are committed as snapshots.
public struct MessageGallery: Sendable {
    /// One row.
    public struct Item: Sendable {
        /// What it is an example of.
        public let name: String
        /// The row.
        public let row: TimelineRow
    }

    /// What people say in the gallery.
    public struct Words: Sendable {
        /// One short word.
        public var word: String
        /// A sentence that fits on one line or two.
        public var sentence: String
        /// Some lines.
        public var paragraph: String
        /// A sentence with an address in it.
        public var link: String
        /// Names of people.
        public var names: [String]

        /// Creates words.
        public init(
            word: String, sentence: String, paragraph: String, link: String, names: [String]
        ) {
            self.word = word
            self.sentence = sentence
            self.paragraph = paragraph
            self.link = link
            self.names = names
        }

        /// English.
        public static let english = Words(
            word: "Hello", sentence: "Shall we meet at the station at six?",
            paragraph: "The train was late again, so I walked along the river instead. It is "
                + "beautiful at this time of the year; you should come with us next time, and bring "
                + "the children.",
            link: "The plan is at https://example.com/plans/2026?day=2, have a look.",
            names: ["Ann", "Ben Carter", "Chloe"])
        /// Hebrew.
        public static let hebrew = Words(
            word: "שלום", sentence: "ניפגש בתחנה בשעה שש?",
            paragraph: "הרכבת איחרה שוב, אז הלכתי לאורך הנהר במקום זאת. יפה שם מאוד בעונה הזאת של "
                + "השנה; כדאי לכם לבוא איתנו בפעם הבאה ולהביא גם את הילדים.",
            link: "התוכנית נמצאת ב https://example.com/plans/2026?day=2 כדאי להסתכל.",
            names: ["חנה", "בני כהן", "תמר"])
        /// Korean.
        public static let korean = Words(
            word: "안녕", sentence: "여섯 시에 역에서 만날까요?",
            paragraph: "기차가 또 늦어서 강을 따라 걸었어요. 이맘때 정말 아름다워요. 다음에는 "
                + "아이들도 데리고 같이 오세요.",
            link: "계획은 https://example.com/plans/2026?day=2 에 있어요.",
            names: ["안나", "김민수", "서연"])
    }

    /// The person who looks at the gallery.
    public static let me = UserID("me")
    /// The rows, in the order of a list.
    public let items: [Item]
    /// The people of the rows.
    public let members: [UserID: Member]
    /// When the current day begins in the gallery.
    public static let today = Date(timeIntervalSince1970: 1_772_409_600)

    /// Creates the gallery in some words.
    public init(_ words: Words = .english) {
        var builder = GalleryBuilder(words)
        builder.build()
        items = builder.items
        let users = ["ann", "ben", "chloe"]
        members = Dictionary(
            uniqueKeysWithValues: zip(users, words.names).map { user, name in
                (UserID(user), Member(id: UserID(user), name: name))
            })
    }
}

/// Makes the rows one after another.
private struct GalleryBuilder {
    let words: MessageGallery.Words
    var items: [MessageGallery.Item] = []
    private var next: UInt64 = 1

    init(_ words: MessageGallery.Words) { self.words = words }

    private var time: WallTime {
        WallTime(milliseconds: (1_772_447_040 + Int64(next) * 60) * 1000)
    }

    private mutating func add(_ name: String, _ id: TimelineRowID, _ content: TimelineRow.Content) {
        items.append(MessageGallery.Item(name: name, row: TimelineRow(id: id, content: content)))
    }

    private mutating func say(
        _ name: String, _ content: [ContentBlock], by author: String = "ann",
        _ group: GroupPosition = .single, edited: Bool = false, deleted: Bool = false,
        reactions: [Reaction] = [], failed: [FailedChange] = []
    ) {
        let message = Message(
            id: MessageID(UInt128(next)), author: UserID(author), sentAt: time, content: content,
            editedAt: edited ? time : nil, isDeleted: deleted, reactions: reactions)
        let row = RoomRow(
            id: .message(message.id), content: .message(message), failedChanges: failed)
        add(name, .message(row.id), .message(row, group))
        next += 1
    }

    private mutating func write(
        _ name: String, _ content: [ContentBlock], _ state: UnsentMessage.State
    ) {
        let key = ClientMessageID(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(next))))
        let message = UnsentMessage(
            clientID: key, content: content, state: state, queuedAt: time)
        let row = RoomRow(id: .local(key), content: .unsent(message))
        add(name, .message(row.id), .message(row, .single))
        next += 1
    }

    private func picture(_ name: String, _ width: Int? = nil, _ height: Int? = nil) -> ContentBlock
    {
        .image(
            Media(
                url: "https://example.com/\(name).jpg", name: name, width: width, height: height))
    }

    private func reactions(_ emoji: [String], mine: Int? = nil) -> [Reaction] {
        emoji.enumerated().map { index, emoji in
            Reaction(
                emoji: emoji,
                users: (0...index % 4).map { UserID("user\($0)") }
                    + (mine == index ? [MessageGallery.me] : []))
        }
    }

    mutating func build() {
        texts()
        media()
        cards()
        combinations()
        states()
        between()
    }

    private mutating func texts() {
        let (word, sentence) = (ContentBlock.text(words.word), ContentBlock.text(words.sentence))
        let day = WallTime(milliseconds: 1_772_409_600_000)
        add("date", .date(DayID(start: day)), .date(DateHeader(start: day, relation: .today)))
        say("word", [word])
        say("own word", [word], by: "me")
        say("sentence, first of a run", [sentence], .first)
        say("sentence, middle of a run", [sentence], .middle)
        say("sentence, last of a run", [sentence], .last)
        say("own first", [sentence], by: "me", .first)
        say("own last", [word], by: "me", .last)
        say("paragraph", [.text(words.paragraph)], by: "ben")
        say("own paragraph", [.text(words.paragraph)], by: "me")
        say("lines", [.text("\(words.word)\n\n\(words.sentence)\n")])
        say("link", [.text(words.link)])
        say("own link, edited", [.text(words.link)], by: "me", edited: true)
        say("long word", [.text(String(repeating: "abcdefghij", count: 12))])
        say("emoji", [.text("👩‍👩‍👧‍👦🇰🇷👍🏽❤️")], by: "chloe")
        say("digits", [.text("12345")])
        say("mixed directions", [.text("abc שלום 123 def مرحبا")])
        say("against the app", [.text("שלום עולם\nhello")])
        say("no text", [.text("")])
        say("two texts", [word, .text(words.paragraph)])
        say("nothing", [])
    }

    private mutating func media() {
        say("picture", [picture("a", 1600, 1200)])
        say("tall picture", [picture("b", 900, 4000)], by: "me")
        say("wide picture", [picture("c", 4000, 400)])
        say("picture of unknown size", [picture("d")])
        for count in [2, 3, 4, 5, 7, 9, 14] {
            say(
                "album of \(count)",
                (0..<count).map { picture("e\($0)", 400 + 130 * $0, 700 - 40 * ($0 % 7)) },
                by: count % 2 == 0 ? "me" : "ben")
        }
        let film = Media(
            url: "https://example.com/film.mp4", name: "film", width: 1920, height: 1080,
            durationMilliseconds: 185_000)
        say("video", [.video(film)])
        say("video in an album", [picture("f", 300, 400), .video(film), picture("g", 400, 300)])
    }

    private mutating func cards() {
        let sound = Media(url: "https://example.com/s.m4a", durationMilliseconds: 42_000)
        let file = Media(
            url: "https://example.com/f.pdf", name: "\(words.sentence).pdf",
            type: "application/pdf", byteCount: 1_234_567)
        say("audio", [.audio(sound)])
        say("own file", [.file(file)], by: "me")
        say("file without a name", [.file(Media(url: "https://example.com/x"))])
        say(
            "link preview",
            [.linkPreview(LinkPreview(url: "https://www.example.com/a?b=c", title: words.sentence))]
        )
        say(
            "link preview with everything",
            [
                .text(words.link),
                .linkPreview(
                    LinkPreview(
                        url: "https://example.com/plans", title: words.sentence,
                        summary: words.paragraph,
                        image: Media(url: "https://example.com/p.png", width: 1200, height: 630))),
            ], by: "me")
        say("quote", [quote("ann"), .text(words.word)], by: "me")
        say("quote of oneself", [quote("me"), .text(words.sentence)], by: "ben")
        say("call", [.callRecord(CallRecord(missed: false, durationMilliseconds: 3_725_000))])
        say("missed call", [.callRecord(CallRecord(missed: true))], by: "me")
        say("unsupported", [.custom(type: "poll", payload: "{}")])
        say("notice", [.systemNotice("\(words.names[0]) → \(words.names[1])")])
    }

    private func quote(_ author: String) -> ContentBlock {
        .quote(Quote(message: MessageID(1), author: UserID(author), excerpt: words.paragraph))
    }

    private mutating func combinations() {
        let emoji = ["👍", "❤️", "😂", "🎉", "🙏", "👀", "🔥", "✅", "😮", "😢", "🚀", "💯"]
        say(
            "text and picture", [.text(words.sentence), picture("h", 800, 600)],
            reactions: reactions(Array(emoji.prefix(2)), mine: 0))
        say(
            "picture and text", [picture("i", 800, 600), .text(words.sentence)], by: "me", .first,
            edited: true)
        say(
            "everything at once",
            [
                quote("chloe"), .text(words.sentence), picture("j", 10, 10), picture("k", 20, 10),
                .audio(Media(url: "s")), .file(Media(url: "f", name: words.word)),
                .linkPreview(LinkPreview(url: "https://example.com", title: words.word)),
                .callRecord(CallRecord(missed: true)), .systemNotice(words.sentence),
                .custom(type: "poll", payload: "{}"), .text(words.word),
            ], by: "chloe", .last, edited: true, reactions: reactions(emoji, mine: 3))
        say("notice and text", [.systemNotice(words.word), .text(words.sentence)])
        say("reactions that wrap", [.text(words.word)], by: "me", reactions: reactions(emoji))
    }

    private mutating func states() {
        let text = [ContentBlock.text(words.sentence)]
        say("deleted", [], deleted: true)
        say("own deleted", [], by: "me", .last, deleted: true)
        say("stranger", [.text(words.word)], by: "nobody")
        let failure = BackendFailure(.serverError, "")
        say(
            "failed edit", text, by: "me",
            failed: [
                FailedChange(
                    id: ClientMessageID(
                        UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
                    target: MessageID(UInt128(next)), change: .edit(text),
                    outcome: .failed(failure))
            ])
        write("queued", text, .queued)
        write("sending", [picture("l", 30, 20)], .sending)
        write("failed", text, .failed(failure))
        write("unconfirmed", text, .unconfirmed)
    }

    private mutating func between() {
        let states: [(String, Gap.State)] = [
            ("known", .known), ("filling", .filling), ("failed", .failed),
            ("unrecoverable", .unrecoverable),
        ]
        for (number, (name, state)) in states.enumerated() {
            let end = MessageID(UInt128(number + 1000))
            add(
                "gap, \(name)", .gap(through: end),
                .gap(Gap(from: nil, before: end, reason: .notLoaded, state: state)))
        }
        let day = WallTime(milliseconds: 1_735_689_600_000)
        add(
            "another year", .date(DayID(start: day)),
            .date(DateHeader(start: day, relation: .otherYear)))
        add("unread divider", .unreadDivider, .unreadDivider)
        add("typing", .typing, .typing([UserID("ann")]))
        add("two typing", .typing, .typing([UserID("ann"), UserID("ben")]))
    }
}
