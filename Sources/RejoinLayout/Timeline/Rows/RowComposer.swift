import Foundation
public import RejoinModel

/// Turns the snapshots of a room into the rows of a list, and their change sets into those of the
/// list.
///
/// Rows are not messages: date headers, the unread divider and who is typing stand between and
/// after them, and a message knows its place in the run of its author. All of that follows from
/// neighbours, gaps looked through, so a change touches the message before it and the one after,
/// and no others. An update costs O(k log k) in what changed, whatever the number of rows; where
/// the change set does not lead from the snapshot seen before, where the days are counted anew or
/// the unread divider finds another place, it costs O(n log n) once.
public struct RowComposer: Sendable {
    /// What a list shows that no snapshot holds.
    public struct Surroundings: Hashable, Sendable {
        /// Where the unread divider stands; `nil`: nowhere. The host fixes it when the room is
        /// opened, so that reading does not move it.
        public var unread: UnreadPlace?
        /// Who is typing, in the host's order.
        public var typing: [UserID]

        /// Creates surroundings.
        public init(unread: UnreadPlace? = nil, typing: [UserID] = []) {
            self.unread = unread
            self.typing = typing
        }
    }

    /// A place between messages: after all that the person had read.
    public struct UnreadPlace: Hashable, Sendable {
        /// The last message read; `nil`: none was. The divider stands before the first message
        /// after it, once both sides of the place are known.
        public var after: MessageID?

        /// Creates a place.
        public init(after: MessageID?) { self.after = after }
    }

    /// The person whose messages are not sent yet.
    public let me: UserID?
    /// How shortly after each other messages of one author are written that stand in one run.
    public let groupingInterval: Duration
    /// The rows of the list.
    public internal(set) var rows: RowList<TimelineRow>
    /// The identity of this state of the rows; ``RowChangeSet`` names it.
    public internal(set) var version = SnapshotVersion()

    var cells: SumTree<RowCell>
    var headers = DayHeaders()
    var days: DayCounter?
    var hasOlder = false
    var unread: UnreadPlace?
    var tail: TimelineRow?
    private var snapshot: SnapshotVersion?
    private var dayRules: DayRules?

    /// What days are counted by.
    private struct DayRules: Hashable {
        var timeZone: TimeZone
        var calendar: Calendar
        var today: Date

        init(_ environment: LayoutEnvironment) {
            timeZone = environment.timeZone
            calendar = environment.calendar
            today = environment.today
        }
    }

    /// Creates a composer without rows.
    public init(me: UserID?, groupingInterval: Duration = .seconds(300)) {
        self.init(me: me, groupingInterval: groupingInterval, shape: .standard)
    }

    package init(me: UserID?, groupingInterval: Duration = .seconds(300), shape: TreeShape) {
        self.me = me
        self.groupingInterval = groupingInterval
        rows = RowList(shape: shape)
        cells = SumTree(shape: shape)
    }

    /// Takes a snapshot and what changed since the one before.
    ///
    /// - Parameters:
    ///   - snapshot: the room.
    ///   - changes: what leads from the snapshot seen before to this one, composed where some were
    ///     skipped; `nil` where that is not known.
    ///   - environment: how days are counted; nothing else of it counts here.
    ///   - surroundings: what no snapshot holds.
    /// - Returns: what changed between the rows before and ``rows``.
    /// - Complexity: see ``RowComposer``.
    public mutating func update(
        _ snapshot: RoomSnapshot, changes: ChangeSet? = nil, environment: LayoutEnvironment,
        surroundings: Surroundings = Surroundings()
    ) -> RowChangeSet {
        let rules = DayRules(environment)
        let isRecounted = rules != dayRules || surroundings.unread != unread
        var update: CellUpdate
        if !isRecounted, snapshot.version == self.snapshot {
            update = CellUpdate(shift: IndexShift(gone: [], come: []), reloads: [])
        } else if !isRecounted, let changes, changes.from == self.snapshot,
            changes.to == snapshot.version
        {
            update = CellUpdate(
                shift: IndexShift(
                    gone: (changes.deletions + changes.moves.map(\.from)).sorted(),
                    come: (changes.insertions + changes.moves.map(\.to)).sorted()),
                reloads: changes.reloads)
        } else {
            update = CellUpdate(
                shift: IndexShift(
                    gone: Array(0..<cells.count), come: Array(snapshot.rows.indices)), reloads: [])
        }
        update.touchesFirst = snapshot.hasOlder != hasOlder
        if rules != dayRules { days = DayCounter(environment) }
        dayRules = rules
        unread = surroundings.unread
        hasOlder = snapshot.hasOlder
        self.snapshot = snapshot.version
        let isTyping = !snapshot.hasNewer && !surroundings.typing.isEmpty
        return perform(
            update, snapshot.rows,
            tail: isTyping
                ? TimelineRow(id: .typing, content: .typing(surroundings.typing)) : nil)
    }
}
