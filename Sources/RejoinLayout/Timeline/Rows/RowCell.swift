import RejoinModel
import RejoinTime

/// One row of a room and the rows that lead it in: its day's header, the unread divider.
///
/// The cells stand one to one beside the rows of the snapshot, and the sum over them tells which
/// row of the list is which.
struct RowCell: SumTreeElement {
    var row: RoomRow
    var facts: Facts?
    var leadIn = LeadIn()
    var group = GroupPosition.single

    /// What the neighbours of a message ask about it; a gap has none.
    struct Facts: Hashable {
        var author: UserID?
        var time: WallTime
        var day: WallTime
        /// `nil` where the server does not have it.
        var message: MessageID?
        /// Whether it can stand in a run of the same author.
        var groups: Bool
    }

    /// What stands before the message, in this order.
    struct LeadIn: Hashable {
        var header: DayID?
        var hasDivider = false

        var count: Int { (header == nil ? 0 : 1) + (hasDivider ? 1 : 0) }

        /// The identities of what stands there, `nil` where nothing does.
        var ids: [TimelineRowID?] { [header.map { .date($0) }, hasDivider ? .unreadDivider : nil] }
    }

    init(_ row: RoomRow, me: UserID?, days: inout DayCounter) {
        self.row = row
        switch row.content {
        case .message(let message):
            facts = Facts(
                author: message.author, time: message.sentAt, day: days.day(of: message.sentAt),
                message: message.id, groups: !message.isDeleted && !message.content.hasNotice)
        case .unsent(let message):
            facts = Facts(
                author: me, time: message.queuedAt, day: days.day(of: message.queuedAt),
                message: nil, groups: true)
        case .gap:
            facts = nil
        }
    }

    var isGap: Bool { facts == nil }

    var sum: RowSum { RowSum(extent: Int32(leadIn.count) + 1, kind: .other) }

    /// The identity of its own row.
    var id: TimelineRowID {
        if case .gap(let gap) = row.content {
            return .gap(through: gap.before ?? MessageID(.max))
        }
        return .message(row.id)
    }

    /// Its own row.
    var timelineRow: TimelineRow {
        switch row.content {
        case .gap(let gap): TimelineRow(id: id, content: .gap(gap))
        case .message, .unsent: TimelineRow(id: id, content: .message(row, group))
        }
    }

    /// The rows that it makes, in their order.
    func rows(_ days: DayCounter) -> [TimelineRow] {
        var rows: [TimelineRow] = []
        if let header = leadIn.header {
            rows.append(TimelineRow(id: .date(header), content: .date(days.header(header.start))))
        }
        if leadIn.hasDivider {
            rows.append(TimelineRow(id: .unreadDivider, content: .unreadDivider))
        }
        return rows + [timelineRow]
    }
}

extension [ContentBlock] {
    fileprivate var hasNotice: Bool {
        contains { if case .systemNotice = $0 { true } else { false } }
    }
}
