import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

private typealias Script = RoomScript

private let key = ClientMessageID(
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))

@Suite("Rows are not messages: the composer makes them (section 8)")
struct RowComposerTests {
    private var composer = RowComposer(me: UserID("me"))
    private var script = Script()

    private mutating func show(_ messages: Message...) {
        script.items = messages.map { .message($0) }
    }

    // MARK: Days

    @Test("A header stands where a day begins, and says how it stands to the current day")
    mutating func days() {
        show(
            Script.message(1, minutes: -400 * 24 * 60), Script.message(2, minutes: -48 * 60),
            Script.message(3, minutes: -24 * 60), Script.message(4), Script.message(5, minutes: 1))
        _ = composer.follow(&script)
        #expect(
            composer.words == [
                "otherYear", "1 single", "thisYear", "2 single", "yesterday", "3 single", "today",
                "4 first", "5 last",
            ])
    }

    @Test("Days begin where the person is, also where a clock is changed that day")
    mutating func timeZones() throws {
        // 2026-03-29: clocks in Berlin go from 2 to 3 o'clock; the day has 23 hours.
        let start = 1_774_738_800_000 as Int64
        func message(_ id: Int, _ time: Int64) -> Message {
            Message(
                id: messageID(id), author: UserID("ada"), sentAt: WallTime(milliseconds: time),
                content: [.text("text")])
        }
        let berlin = LayoutEnvironment(
            width: 320, timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            today: Date(timeIntervalSince1970: Double(start) / 1_000 + 3_600))
        show(
            message(1, start - 1), message(2, start), message(3, start + 23 * Script.hour - 1),
            message(4, start + 23 * Script.hour))
        _ = composer.follow(&script, environment: berlin)
        #expect(
            composer.words == [
                "yesterday", "1 single", "today", "2 single", "3 single", "thisYear", "4 single",
            ])
        // Another zone counts all days anew, in one change set.
        var view = CollectionViewModel(composer.rows.elements)
        let change = composer.follow(&script)
        #expect(view.perform(change, dataSource: composer.rows.elements) == nil)
        #expect(composer.words.count == 6)
    }

    @Test("History of the same day comes in below its header, which stays in place")
    mutating func headerStays() {
        show(Script.message(10), Script.message(11))
        _ = composer.follow(&script)
        let header = composer.rows[0].id
        script.items.insert(
            contentsOf: [.message(Script.message(8)), .message(Script.message(9))], at: 0)
        let change = composer.follow(&script)
        #expect(composer.rows[0].id == header)
        #expect(change.insertions == [1, 2] && change.deletions.isEmpty && change.moves.isEmpty)
        // And where its first message goes.
        script.items.removeFirst(2)
        #expect(composer.follow(&script).deletions == [1, 2])
        #expect(composer.rows[0].id == header)
    }

    @Test("A day that comes again has a header of its own, with an identity of its own")
    mutating func clockGoesBack() {
        show(Script.message(1), Script.message(2, minutes: -24 * 60), Script.message(3))
        _ = composer.follow(&script)
        #expect(
            composer.words == ["today", "1 single", "yesterday", "2 single", "today", "3 single"])
        #expect(Set(composer.rows.elements.map(\.id)).count == 6)
    }

    @Test("Midnight turns today into yesterday, and reloads what says so")
    mutating func midnight() {
        show(Script.message(1))
        _ = composer.follow(&script)
        var tomorrow = Script.environment
        tomorrow.today += 86_400
        let change = composer.follow(&script, environment: tomorrow)
        #expect(composer.words == ["yesterday", "1 single"])
        #expect(change.reloads == [0] && change.insertions.isEmpty && change.deletions.isEmpty)
    }

    // MARK: Unread divider

    @Test("Feature 11: the divider stands after what was read, and takes no row out of its place")
    mutating func divider() {
        show(Script.message(1), Script.message(2), Script.message(3))
        _ = composer.follow(&script)
        let unread = RowComposer.Surroundings(unread: .init(after: messageID(1)))
        let appears = composer.follow(&script, surroundings: unread)
        #expect(composer.words == ["today", "1 single", "unread", "2 first", "3 last"])
        #expect(appears.insertions == [2] && appears.moves.isEmpty && appears.deletions.isEmpty)
        // Its message goes: the next one takes the divider over, in place.
        script.items.remove(at: 1)
        #expect(composer.follow(&script, surroundings: unread).deletions == [3])
        #expect(composer.words == ["today", "1 single", "unread", "3 single"])
        let goes = composer.follow(&script)
        #expect(goes.deletions == [2] && goes.insertions.isEmpty)
    }

    @Test("Without both sides of its place the divider waits, so that paging does not move it")
    mutating func dividerAtEdge() {
        let unread = RowComposer.Surroundings(unread: .init(after: messageID(1)))
        script.hasOlder = true
        show(Script.message(3))
        _ = composer.follow(&script, surroundings: unread)
        #expect(composer.words == ["today", "3 single"])
        script.hasOlder = false
        _ = composer.follow(&script, surroundings: unread)
        #expect(composer.words == ["today", "unread", "3 single"])
        script.items.insert(.message(Script.message(1)), at: 0)
        _ = composer.follow(&script, surroundings: unread)
        #expect(composer.words == ["today", "1 single", "unread", "3 single"])
    }

    // MARK: Gaps, typing, unsent

    @Test("A gap shows its state and breaks a run, but not a day")
    mutating func gaps() {
        func gap(_ state: Gap.State) -> TimelineSnapshot.Item {
            .gap(
                Gap(
                    from: messageID(1), before: messageID(5), reason: .disconnected, state: state))
        }
        script.items = [.message(Script.message(1)), gap(.known), .message(Script.message(5))]
        _ = composer.follow(&script)
        #expect(composer.words == ["today", "1 single", "gap known", "5 single"])
        for state in [Gap.State.filling, .failed, .unrecoverable] {
            script.items[1] = gap(state)
            #expect(composer.follow(&script).reloads == [2])
            #expect(composer.words[2] == "gap \(state)")
        }
        script.items[1] = .message(Script.message(3))
        let change = composer.follow(&script)
        #expect(composer.words == ["today", "1 first", "3 middle", "5 last"])
        #expect(change.reloads == [1, 3])
    }

    @Test("Typing stands last, and only at the end of the room")
    mutating func typing() {
        show(Script.message(1))
        _ = composer.follow(&script)
        func typing(_ users: String...) -> RowComposer.Surroundings {
            .init(typing: users.map { UserID($0) })
        }
        #expect(composer.follow(&script, surroundings: typing("ada")).insertions == [2])
        #expect(composer.follow(&script, surroundings: typing("ada", "bob")).reloads == [2])
        #expect(composer.words.last == "typing ada bob")
        script.items.append(.message(Script.message(2)))
        #expect(composer.follow(&script, surroundings: typing("bob")).insertions == [2])
        script.hasNewer = true
        #expect(composer.follow(&script, surroundings: typing("bob")).deletions == [3])
    }

    @Test("P5: an unsent message keeps its row when the server takes it")
    mutating func unsent() throws {
        show(Script.message(1, "me"))
        script.unsent = [
            UnsentMessage(
                clientID: key, content: [.text("new")],
                queuedAt: WallTime(milliseconds: Script.noon))
        ]
        _ = composer.follow(&script)
        #expect(composer.words == ["today", "1 first", "unsent last"])
        #expect(composer.rows[2].isUnsent)
        let id = composer.rows[2].id
        script.unsent = []
        script.localKeys = [key]
        script.items.append(.message(Script.message(2, "me", key: key)))
        let change = composer.follow(&script)
        #expect(change.reloads == [2] && change.insertions.isEmpty && change.deletions.isEmpty)
        #expect(composer.rows[2].id == id && !composer.rows[2].isUnsent)
    }

    @Test("The device's clock does not take the list back to an earlier day")
    mutating func unsentYesterday() {
        show(Script.message(1))
        script.unsent = [
            UnsentMessage(
                clientID: key, content: [.text("new")],
                queuedAt: WallTime(milliseconds: Script.noon - Script.day))
        ]
        _ = composer.follow(&script)
        #expect(composer.words == ["today", "1 single", "unsent single"])
    }

    // MARK: Grouping

    @Test("Runs end with another author, another day, five minutes, a tombstone and a notice")
    mutating func runs() {
        var tombstone = Script.message(6, minutes: 7)
        tombstone.isDeleted = true
        tombstone.content = []
        var notice = Script.message(8, minutes: 8)
        notice.content = [.systemNotice("joined")]
        show(
            Script.message(1), Script.message(2, minutes: 5), Script.message(3, minutes: 11),
            Script.message(4, "bob", minutes: 11), Script.message(5, minutes: 7), tombstone,
            Script.message(7, minutes: 8), notice)
        _ = composer.follow(&script)
        #expect(
            composer.words == [
                "today", "1 first", "2 last", "3 single", "4 single", "5 single", "6 single",
                "7 single", "8 single",
            ])
    }

    @Test("Invariant 9: a change of grouping touches at most two neighbours", arguments: 0..<8)
    func neighbours(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var composer = RowComposer(me: UserID("me"))
        var script = RoomScript()
        script.items = (0..<60).map { .message(RoomScript.message($0 * 1_000 + 1_000)) }
        _ = composer.follow(&script)
        for step in 0..<60 {
            let place = Int.random(in: 0..<script.items.count, using: &random)
            switch step % 3 {
            case 0: script.items.remove(at: place)
            case 1:
                guard case .message(let next) = script.items[place] else { continue }
                let author = ["ada", "bob"].randomElement(using: &random) ?? "ada"
                script.items.insert(
                    .message(RoomScript.message(Int(next.id.rawValue) - step - 1, author)),
                    at: place)
            default:
                guard case .message(let old) = script.items[place] else { continue }
                script.items[place] = .message(
                    RoomScript.message(Int(old.id.rawValue), "ada", text: "edited \(step)"))
            }
            let change = composer.follow(&script)
            #expect(change.reloads.count <= 2 + (step % 3 == 2 ? 1 : 0))
            #expect(change.moves.isEmpty)
        }
    }

    @Test("Nothing new changes nothing, and keeps the version")
    mutating func nothing() {
        show(Script.message(1))
        _ = composer.follow(&script)
        let version = composer.version
        let change = composer.follow(&script)
        #expect(change.isEmpty && change.from == version && composer.version == version)
    }

    @Test("A snapshot whose changes are not known is compared as a whole")
    mutating func withoutChanges() {
        show(Script.message(1), Script.message(2), Script.message(3))
        _ = composer.follow(&script)
        var view = CollectionViewModel(composer.rows.elements)
        script.items[1] = .message(Script.message(2, text: "edited"))
        script.items.append(.message(Script.message(4)))
        let change = composer.update(
            script.next().snapshot, changes: nil, environment: Script.environment)
        #expect(change.insertions == [4] && change.reloads == [2, 3] && change.deletions.isEmpty)
        #expect(view.perform(change, dataSource: composer.rows.elements) == nil)
    }
}
