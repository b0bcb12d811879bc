package import RejoinModel
package import RejoinSync
package import RejoinTime

/// One room as the server has it, and all that has ever been in it: what devices are compared with.
package struct ServerRoom {
    /// A message and the changes that it has been through.
    struct Entry {
        var message: Message
        /// The revisions of its changes, ascending; kept also where the backend states none.
        var revisions: [Revision]
        /// When it became visible.
        let seenAt: Instant
        /// When its state last changed.
        var changedAt: Instant
    }

    let id: RoomID
    let capabilities: BackendCapabilities
    let statesTightBounds: Bool

    /// Every message that has ever been visible, ascending.
    private(set) var entries: [Entry] = []
    /// Of these, how many the server has forgotten.
    private(set) var forgotten = 0
    private(set) var revision = Revision(0)
    /// Changes at or below this revision are forgotten.
    private(set) var feedFloor = Revision(0)
    private var feed: [(revision: Revision, id: MessageID)] = []
    private var byClient: [ClientMessageID: MessageID] = [:]
    /// The keys of messages up to here are forgotten.
    private var keyHorizon: MessageID?
    private var reserved: [Message] = []
    private var lastID: UInt128 = 0

    package init(id: RoomID, capabilities: BackendCapabilities, statesTightBounds: Bool) {
        self.id = id
        self.capabilities = capabilities
        self.statesTightBounds = statesTightBounds
    }

    /// What the server still keeps, ascending.
    var kept: ArraySlice<Entry> { entries[forgotten...] }
    /// The newest message.
    package var tip: MessageID? { kept.last?.message.id }
    /// The oldest message that is still kept; `nil` where nothing was forgotten.
    var horizon: MessageID? { forgotten > 0 ? kept.first?.message.id : nil }

    /// The place of the first message that is not below an ID.
    ///
    /// - Complexity: O(log n).
    func index(atOrAfter id: MessageID) -> Int {
        // Nearly every question is about the newest messages.
        if let last = entries.last, last.message.id < id { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].message.id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A message that is still kept.
    func entry(_ id: MessageID) -> Entry? {
        let index = index(atOrAfter: id)
        guard index >= forgotten, index < entries.count, entries[index].message.id == id else {
            return nil
        }
        return entries[index]
    }

    /// The message that was made by a client ID.
    func message(sentAs key: ClientMessageID) -> Message? {
        byClient[key].flatMap { entry($0)?.message }
    }

    /// The message that was made by a client ID, also where it is forgotten by now: client IDs are
    /// kept longer than history.
    func original(sentAs key: ClientMessageID) -> Message? {
        guard let id = byClient[key], keyHorizon.map({ $0 < id }) ?? true else { return nil }
        return entries[index(atOrAfter: id)].message
    }

    /// How many messages after a position count as unread for a person.
    func unread(for user: UserID, after position: MessageID?) -> Int {
        var count = 0
        for entry in kept.reversed() {
            if let position, entry.message.id <= position { break }
            if entry.message.author != user, !entry.message.isDeleted { count += 1 }
        }
        return count
    }
}

// MARK: - Changes

extension ServerRoom {
    /// A message that nobody sees before ``publish(_:at:)``: its ID is drawn now.
    package mutating func draw(
        author: UserID, text: String, clientID: ClientMessageID?, step: Int, at now: Instant
    ) -> Message {
        draw(author: author, content: [.text(text)], clientID: clientID, step: step, at: now)
    }

    /// As above, of any content.
    mutating func draw(
        author: UserID, content: [ContentBlock], clientID: ClientMessageID?, step: Int,
        at now: Instant
    ) -> Message {
        lastID += UInt128(step)
        return Message(
            id: MessageID(lastID), author: author, clientID: clientID,
            sentAt: WallTime(milliseconds: now.nanoseconds / 1_000_000), content: content)
    }

    /// Keeps a message back that has its ID.
    mutating func reserve(_ message: Message) {
        reserved.append(message)
    }

    /// Takes a message out that was kept back.
    mutating func takeReserved(_ id: MessageID) -> Message? {
        reserved.firstIndex { $0.id == id }.map { reserved.remove(at: $0) }
    }

    /// Takes a message out that was kept back under a client ID.
    mutating func takeReserved(sentAs key: ClientMessageID) -> Message? {
        reserved.firstIndex { $0.clientID == key }.map { reserved.remove(at: $0) }
    }

    /// Makes a message visible.
    @discardableResult
    package mutating func publish(_ drawn: Message, at now: Instant) -> Message {
        var message = drawn
        revision = revision.next
        message.revision = capabilities.hasRevisions ? revision : nil
        let entry = Entry(message: message, revisions: [revision], seenAt: now, changedAt: now)
        entries.insert(entry, at: index(atOrAfter: message.id))
        feed.append((revision, message.id))
        if let key = message.clientID, byClient[key] == nil { byClient[key] = message.id }
        return message
    }

    /// Changes a message that is still kept; `nil` where it is not there or `body` says that there
    /// is nothing to change.
    @discardableResult
    package mutating func change(
        _ id: MessageID, at now: Instant, _ body: (inout Message) -> Bool
    ) -> Message? {
        let index = index(atOrAfter: id)
        guard index >= forgotten, index < entries.count, entries[index].message.id == id else {
            return nil
        }
        var message = entries[index].message
        guard body(&message) else { return nil }
        revision = revision.next
        message.revision = capabilities.hasRevisions ? revision : nil
        entries[index].message = message
        entries[index].revisions.append(revision)
        entries[index].changedAt = now
        feed.append((revision, id))
        return message
    }

    /// Forgets all messages but the newest ones, and the part of the change feed that would have
    /// told of them: a feed after such a revision could not be complete.
    mutating func trim(keeping count: Int) {
        guard kept.count > count, count > 0 else { return }
        let upTo = entries.count - count
        for entry in entries[forgotten..<upTo] {
            if let last = entry.revisions.last { feedFloor = max(feedFloor, last) }
        }
        forgotten = upTo
        let oldest = entries[upTo].message.id
        reserved.removeAll { $0.id < oldest }
    }

    /// Forgets all client IDs: their time is over.
    mutating func forgetKeys() {
        keyHorizon = entries.last?.message.id
    }

    /// Forgets the change feed: every revision asked for so far is gone.
    mutating func trimFeed() {
        feedFloor = revision
    }
}

// MARK: - Answers

extension ServerRoom {
    /// Answers a fetch as a correct server does.
    package func answer(_ request: HistoryRequest) throws(BackendFailure) -> HistoryAnswer {
        switch request {
        case .page(let anchor, let limit):
            return .page(page(anchor, limit: min(limit, capabilities.maximumPageSize)))
        case .changes(let after, let limit):
            return .changes(
                try changes(after: after, limit: min(limit, capabilities.maximumPageSize)))
        case .summary:
            return .summary(
                RoomSummary(
                    room: id, name: id.rawValue, lastMessage: kept.last?.message,
                    revision: capabilities.hasRevisions ? revision : nil))
        }
    }

    private func page(_ anchor: HistoryAnchor, limit: Int) -> HistoryPage {
        let end = entries.count
        switch anchor {
        case .newest:
            return slice(max(forgotten, end - limit)..<end, anchor)
        case .after(let bound):
            let start = max(forgotten, bound.map { index(atOrAfter: $0.successor) } ?? 0)
            return slice(start..<min(start + limit, end), anchor)
        case .before(let bound):
            let stop = max(forgotten, index(atOrAfter: bound))
            return slice(max(forgotten, stop - limit)..<stop, anchor)
        case .around(let center):
            let middle = max(forgotten, index(atOrAfter: center))
            let start = max(forgotten, middle - limit / 2)
            return slice(start..<min(start + limit, end), anchor)
        }
    }

    private func slice(_ range: Range<Int>, _ anchor: HistoryAnchor) -> HistoryPage {
        let chosen = entries[range].map(\.message)
        let previous =
            range.lowerBound > forgotten ? entries[range.lowerBound - 1].message.id : nil
        var from = previous
        var through = chosen.last?.id ?? previous
        if statesTightBounds, previous != nil, let first = chosen.first {
            from = first.id.predecessor
        }
        switch anchor {
        case .after(let bound):
            from = bound
            if chosen.isEmpty { through = bound }
        case .before(let bound):
            if statesTightBounds, let tip { through = min(tip, bound.predecessor ?? bound) }
        case .newest, .around:
            break
        }
        if let oldest = horizon, from.map({ $0 < oldest }) ?? true { from = oldest.predecessor }
        if let low = from, let high = through, high < low { through = low }
        return HistoryPage(
            messages: chosen, members: members(of: chosen), from: from, through: through,
            hasBefore: range.lowerBound > forgotten, hasAfter: range.upperBound < entries.count,
            tip: tip, horizon: horizon, revision: capabilities.hasRevisions ? revision : nil)
    }

    private func changes(after: Revision, limit: Int) throws(BackendFailure) -> ChangePage {
        guard capabilities.hasRevisions else {
            throw BackendFailure(.rejected, "this backend has no change feed")
        }
        guard after >= feedFloor, after <= revision else {
            throw BackendFailure(
                .gone, "the feed reaches from \(feedFloor) to \(revision); fetch pages")
        }
        var page: [Message] = []
        var hasMore = false
        var low = 0
        var high = feed.count
        while low < high {
            let middle = (low + high) / 2
            if feed[middle].revision <= after { low = middle + 1 } else { high = middle }
        }
        for change in feed[low...] {
            // A message stands in the feed once, at its latest change.
            guard let entry = entry(change.id), entry.revisions.last == change.revision else {
                continue
            }
            guard page.count < limit else {
                hasMore = true
                break
            }
            page.append(entry.message)
        }
        return ChangePage(
            messages: page, members: members(of: page),
            revision: hasMore ? page.last?.revision ?? after : revision, hasMore: hasMore,
            tip: tip)
    }

    private func members(of messages: [Message]) -> [Member] {
        var members: [Member] = []
        for message in messages where !members.contains(where: { $0.id == message.author }) {
            members.append(Member(id: message.author, name: message.author.rawValue))
        }
        return members
    }
}
