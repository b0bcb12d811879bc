import Foundation
package import RejoinModel
package import RejoinTime

/// Draws the values that travel, of every kind and in their odd forms.
///
/// What it draws is what a server may hold: times are whole milliseconds, custom blocks hold JSON.
package struct WireValues {
    package var random: SeededGenerator

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Small values

    package mutating func count(_ bounds: ClosedRange<Int>) -> Int {
        Int.random(in: bounds, using: &random)
    }

    package mutating func chance() -> Bool { Bool.random(using: &random) }

    private mutating func maybe<Value>(_ draw: (inout WireValues) -> Value) -> Value? {
        chance() ? draw(&self) : nil
    }

    private mutating func list<Value>(
        _ bounds: ClosedRange<Int>, _ draw: (inout WireValues) -> Value
    ) -> [Value] {
        (0..<count(bounds)).map { _ in draw(&self) }
    }

    package mutating func text() -> String {
        let pieces = [
            "hello ", "안녕하세요 ", "é", "e\u{301}", "👨‍👩‍👧", "\"", "\\", "/", "\n", "\t", "\u{1}",
            "\u{2028}",
            "%", "+", "?", "#", "&", "{}", "[]", ":", "،", "𝔸", "null", "1e5",
        ]
        return list(0...8) { pieces.randomElement(using: &$0.random) ?? "" }.joined()
    }

    /// A name that is not empty; a third of them need escapes in paths and destinations.
    package mutating func name() -> String {
        let plain = "n\(count(0...9_999))"
        let odd = [
            "a/b", "..", ".", "%2F", "방 1", "a?b#c&d=e", "+ ", "é", "e\u{301}", "~_-.", "\u{1}",
            "😀",
        ]
        return count(0...2) == 0 ? odd.randomElement(using: &random) ?? plain : plain
    }

    package mutating func messageID() -> MessageID {
        switch count(0...3) {
        case 0: MessageID(UInt128(count(0...9)))
        case 1: MessageID(UInt128(UInt64.random(in: .min ... .max, using: &random)))
        case 2: MessageID(UInt128.random(in: .min ... .max, using: &random))
        default: MessageID(UInt128(1) << 53 + UInt128(count(0...3)))
        }
    }

    package mutating func room() -> RoomID { RoomID(name()) }
    package mutating func user() -> UserID { UserID(name()) }

    package mutating func revision() -> Revision {
        Revision(UInt64.random(in: .min ... .max, using: &random))
    }

    package mutating func clientID() -> ClientMessageID {
        let bits = UInt128.random(in: .min ... .max, using: &random)
        return ClientMessageID(
            withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }

    package mutating func time() -> WallTime {
        WallTime(milliseconds: Int64.random(in: -1_000...4_102_444_800_000, using: &random))
    }

    package mutating func mark() -> ReadMark {
        ReadMark(version: UInt64(count(0...5)), position: maybe { $0.messageID() })
    }

    // MARK: Messages

    private mutating func media() -> Media {
        Media(
            url: "https://example.com/\(name())", name: maybe { $0.text() },
            type: maybe { _ in "image/png" }, byteCount: maybe { Int64($0.count(0...9_999)) },
            width: maybe { $0.count(0...9_999) }, height: maybe { $0.count(0...9_999) },
            durationMilliseconds: maybe { Int64($0.count(0...9_999)) })
    }

    package mutating func block() -> ContentBlock {
        switch count(0...12) {
        case 0...2: .text(text())
        case 3: .image(media())
        case 4: .video(media())
        case 5: .audio(media())
        case 6: .file(media())
        case 7:
            .linkPreview(
                LinkPreview(
                    url: name(), title: maybe { $0.text() }, summary: maybe { $0.text() },
                    image: maybe { $0.media() }))
        case 8: .quote(Quote(message: messageID(), author: user(), excerpt: text()))
        case 9:
            .callRecord(
                CallRecord(
                    missed: chance(), durationMilliseconds: maybe { Int64($0.count(0...9_999)) }))
        case 10: .systemNotice(text())
        case 11: .custom(type: "poll", payload: #"{"type":"poll", "options": [1, {"a": "é"}] }"#)
        default: .custom(type: "com.example.x", payload: #"[1,"a",null]"#)
        }
    }

    package mutating func content() -> [ContentBlock] { list(0...3) { $0.block() } }

    package mutating func message() -> Message {
        Message(
            id: messageID(), author: user(), clientID: maybe { $0.clientID() }, sentAt: time(),
            content: content(), revision: maybe { $0.revision() }, editedAt: maybe { $0.time() },
            isDeleted: chance(),
            reactions: list(0...2) { values in
                Reaction(emoji: "👍", users: values.list(0...3) { $0.user() })
            })
    }

    package mutating func member() -> Member {
        Member(
            id: user(), name: text(), avatar: maybe { $0.name() }, version: UInt64(count(0...3)))
    }

    package mutating func draft() -> MessageDraft {
        MessageDraft(clientID: clientID(), content: content())
    }

    /// People with different IDs.
    private mutating func members() -> [Member] {
        var seen: Set<UserID> = []
        return list(0...4) { $0.member() }.filter { seen.insert($0.id).inserted }
    }

    // MARK: Calls and answers

    package mutating func call() -> BackendCall {
        switch count(0...11) {
        case 0: .capabilities
        case 1: .rooms
        case 2: .room(room())
        case 3: .history(room(), anchor(), limit: count(1...500))
        case 4: .message(room(), messageID())
        case 5: .changes(room(), after: revision(), limit: count(1...500))
        case 6: .send(room(), draft())
        case 7: .edit(room(), messageID(), content())
        case 8: .delete(room(), messageID())
        case 9: .react(room(), messageID(), emoji: emoji(), chance())
        case 10: .markRead(room(), mark())
        default: .markUnread(room(), mark())
        }
    }

    private mutating func emoji() -> String {
        ["👍", "❤️", "👨‍👩‍👧", "+1", "a/b", "%"].randomElement(using: &random) ?? "+1"
    }

    private mutating func anchor() -> HistoryAnchor {
        switch count(0...4) {
        case 0: .newest
        case 1: .after(nil)
        case 2: .after(messageID())
        case 3: .before(messageID())
        default: .around(messageID())
        }
    }

    /// An answer of the kind that the call has.
    package mutating func answer(to call: BackendCall) -> BackendAnswer {
        switch call {
        case .capabilities:
            .capabilities(
                BackendCapabilities(
                    commitOrder: chance()
                        ? .ordered : .settles(within: .milliseconds(count(0...9_999))),
                    idempotentSendRetention: maybe { .milliseconds($0.count(1...9_999_999)) },
                    hasRevisions: chance(), hasSubscribeReceipts: chance(),
                    maximumPageSize: count(1...500), maximumContentBytes: count(1...1_000_000)))
        case .rooms: .rooms(list(0...3) { $0.summary() })
        case .room: .room(summary())
        case .history:
            .history(
                HistoryPage(
                    messages: list(0...5) { $0.message() }, members: members(),
                    from: maybe { $0.messageID() }, through: maybe { $0.messageID() },
                    hasBefore: chance(), hasAfter: chance(), tip: maybe { $0.messageID() },
                    horizon: maybe { $0.messageID() }, revision: maybe { $0.revision() }))
        case .changes:
            .changes(
                ChangePage(
                    messages: list(0...5) { $0.message() }, members: members(),
                    revision: revision(), hasMore: chance(), tip: maybe { $0.messageID() }))
        case .message, .send, .edit, .delete, .react: .message(message())
        case .markRead, .markUnread:
            .read(
                ReadAnswer(
                    mark: mark(), unread: count(0...99), unreadAsOf: maybe { $0.messageID() }))
        }
    }

    private mutating func summary() -> RoomSummary {
        RoomSummary(
            room: room(), name: text(), members: members(), lastMessage: maybe { $0.message() },
            revision: maybe { $0.revision() }, read: mark(), unread: count(0...99),
            unreadAsOf: maybe { $0.messageID() })
    }

    // MARK: The socket

    package mutating func command() -> RoomCommand {
        let kind: RoomCommand.Kind =
            switch count(0...6) {
            case 0: .send(draft())
            case 1: .edit(messageID(), content())
            case 2: .delete(messageID())
            case 3: .react(messageID(), emoji: emoji(), chance())
            case 4: .markRead(mark())
            case 5: .markUnread(mark())
            default: .typing
            }
        return RoomCommand(room: room(), kind: kind)
    }

    package mutating func event() -> RoomEvent {
        let kind: RoomEvent.Kind
        switch count(0...5) {
        case 0:
            let message = message()
            var author = maybe { $0.member() }
            if let drawn = author {
                author = Member(
                    id: message.author, name: drawn.name, avatar: drawn.avatar,
                    version: drawn.version)
            }
            kind = .created(message, author: author)
        case 1: kind = .changed(message())
        case 2: kind = .read(user(), mark())
        case 3: kind = .typing(user())
        case 4: kind = .rejected(clientID(), failure())
        default: kind = .unknown(type: "com.example.later")
        }
        return RoomEvent(room: room(), kind: kind, revision: maybe { $0.revision() })
    }

    /// A failure that a server may state.
    package mutating func failure() -> BackendFailure {
        let codes: [BackendFailure.Code] = [
            .tokenExpired, .tokenInvalid, .forbidden, .notFound, .conflict, .gone, .tooLarge,
            .rateLimited, .serverError, .rejected,
        ]
        return BackendFailure(
            codes.randomElement(using: &random) ?? .rejected, "text \(name().filter { $0 >= " " })",
            retryAfter: maybe { .seconds($0.count(0...600)) })
    }
}
