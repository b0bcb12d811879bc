import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

@Suite("Rows composed step by step are those composed at once (section 8)")
struct RowComposerFuzzTests {
    @Test("Random rooms: pages, edits, deletions, gaps, sends, typing", arguments: 0..<12)
    func rooms(seed: Int) throws {
        var run = Run(seed: UInt64(seed))
        for _ in 0..<250 { try run.step() }
    }

    private struct Run {
        private var random: SeededGenerator
        private var script = RoomScript()
        private var composer = RowComposer(me: UserID("me"), shape: TreeShape(leaf: 2, page: 3))
        private var surroundings = RowComposer.Surroundings()
        private var view: CollectionViewModel<TimelineRow>
        private var skipped: ChangeSet?
        private var slow: RowChangeSet?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            view = CollectionViewModel([])
        }

        mutating func step() throws {
            for _ in 0..<Int.random(in: 1...3, using: &random) { edit() }
            if Int.random(in: 0..<12, using: &random) == 0 {
                surroundings.unread = Bool.random(using: &random) ? .init(after: anyID()) : nil
            }
            surroundings.typing = (0..<Int.random(in: 0...2, using: &random)).map { _ in user() }
            script.hasOlder = Int.random(in: 0..<6, using: &random) == 0
            script.hasNewer = Int.random(in: 0..<6, using: &random) == 0
            let (snapshot, next) = script.next()
            let changes = skipped.flatMap { first in next.map { first.composed(with: $0) } } ?? next
            if Int.random(in: 0..<4, using: &random) == 0 {
                // The composer is slow and sees two changes as one.
                skipped = changes
                return
            }
            skipped = nil
            let change = composer.update(
                snapshot, changes: Int.random(in: 0..<15, using: &random) == 0 ? nil : changes,
                environment: RoomScript.environment, surroundings: surroundings)
            try check(change, snapshot)
        }

        private mutating func check(_ change: RowChangeSet, _ snapshot: RoomSnapshot) throws {
            let rows = composer.rows.elements
            try #require(composer.rows.count == change.newCount && change.to == composer.version)
            #expect(Set(rows.map(\.id)).count == rows.count, "an identity is there twice")
            // What a list shows that is slower still.
            slow = slow?.composed(with: change) ?? change
            if Bool.random(using: &random), let all = slow {
                slow = nil
                try #require(view.perform(all, dataSource: rows) == nil)
            }
            var fresh = RowComposer(me: UserID("me"))
            _ = fresh.update(
                snapshot, environment: RoomScript.environment, surroundings: surroundings)
            // Headers of a day that is there twice may be numbered otherwise.
            try #require(fresh.rows.elements.map(\.content) == rows.map(\.content))
            #expect(naive(snapshot) == rows.map(\.content))
        }

        /// The rows by a plain walk.
        private func naive(_ snapshot: RoomSnapshot) -> [TimelineRow.Content] {
            let facts = snapshot.rows.map { row -> (author: UserID, time: Int64, id: MessageID?)? in
                switch row.content {
                case .message(let message):
                    (message.author, message.sentAt.milliseconds, message.id)
                case .unsent(let unsent): (UserID("me"), unsent.queuedAt.milliseconds, nil)
                case .gap: nil
                @unknown default: nil
                }
            }
            func divider(_ place: Int) -> Bool {
                guard let unread = surroundings.unread, let id = facts[place]?.id else {
                    return false
                }
                let before = facts[..<place].last { $0 != nil }.flatMap { $0 }
                if place == 0 { return !snapshot.hasOlder && unread.after.map { id > $0 } ?? true }
                guard let read = unread.after, let last = before?.id else { return false }
                return last <= read && id > read
            }
            func joined(_ place: Int) -> Bool {
                guard place > 0, place < facts.count, let a = facts[place - 1], let b = facts[place]
                else { return false }
                return a.author == b.author && a.time / RoomScript.day == b.time / RoomScript.day
                    && abs(a.time - b.time) <= 300_000 && !divider(place)
            }
            let today = RoomScript.noon / RoomScript.day
            var rows: [TimelineRow.Content] = []
            var last: Int64?
            for (place, row) in snapshot.rows.enumerated() {
                guard let own = facts[place] else {
                    if case .gap(let gap) = row.content { rows.append(.gap(gap)) }
                    continue
                }
                let day = own.time / RoomScript.day
                if last.map({ own.id == nil ? day > $0 : day != $0 }) ?? true {
                    rows.append(
                        .date(
                            DateHeader(
                                start: WallTime(milliseconds: day * RoomScript.day),
                                relation: day == today
                                    ? .today : day == today - 1 ? .yesterday : .thisYear)))
                }
                last = day
                if divider(place) { rows.append(.unreadDivider) }
                let group: GroupPosition =
                    switch (joined(place), joined(place + 1)) {
                    case (false, false): .single
                    case (false, true): .first
                    case (true, true): .middle
                    case (true, false): .last
                    }
                rows.append(.message(row, group))
            }
            if !snapshot.hasNewer, !surroundings.typing.isEmpty {
                rows.append(.typing(surroundings.typing))
            }
            return rows
        }

        // MARK: Edits

        private mutating func user() -> UserID {
            UserID(["ada", "bob", "me"].randomElement(using: &random) ?? "ada")
        }

        private mutating func anyID() -> MessageID {
            script.items.randomElement(using: &random).map(Self.place) ?? messageID(500)
        }

        private static func place(_ item: TimelineSnapshot.Item) -> MessageID {
            switch item {
            case .message(let message): message.id
            case .gap(let gap): gap.from ?? messageID(0)
            }
        }

        private mutating func message(_ id: Int) -> Message {
            // Days follow from the order, mostly.
            let wrong = Int.random(in: 0..<10, using: &random) == 0 ? -1 : 0 as Int64
            return RoomScript.message(
                id, user().rawValue,
                minutes: (Int64(id) / 300 - 3 + wrong) * 24 * 60 + Int64(id % 7),
                text: "\(random.next())")
        }

        private mutating func edit() {
            let place = Int.random(in: 0...script.items.count, using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0 where place < script.items.count:
                script.items.remove(at: place)
            case 1 where place < script.items.count:
                guard case .message(let old) = script.items[place] else { return }
                script.items[place] = .message(message(Int(old.id.rawValue)))
            case 2:
                let id = Int.random(in: 1...1_200, using: &random)
                insert(
                    .gap(
                        Gap(
                            from: messageID(id), before: messageID(id + 1), reason: .disconnected,
                            state: Bool.random(using: &random) ? .known : .filling)))
            case 3:
                let key = ClientMessageID(
                    .init(
                        uuid: (
                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                            random.next() % 2 == 0 ? 1 : 2
                        )))
                if script.unsent.isEmpty {
                    script.unsent = [
                        UnsentMessage(
                            clientID: key, content: [.text("own")],
                            queuedAt: WallTime(milliseconds: RoomScript.noon))
                    ]
                } else {
                    script.unsent = []
                }
            case 4 where script.items.count > 50:
                script.items.removeSubrange(0..<place)
            default:
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    insert(.message(message(Int.random(in: 1...1_200, using: &random))))
                }
            }
        }

        private mutating func insert(_ item: TimelineSnapshot.Item) {
            let id = Self.place(item)
            guard !script.items.contains(where: { Self.place($0) == id }) else { return }
            let place = script.items.firstIndex { Self.place($0) > id } ?? script.items.count
            script.items.insert(item, at: place)
        }
    }
}
