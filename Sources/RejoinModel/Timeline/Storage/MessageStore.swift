/// A held message, with the moment in the timeline's life at which its state was learnt.
struct HeldMessage: Hashable, Sendable {
    var message: Message
    /// The count of the ``RequestStamp`` of the answer that brought it, or of its live arrival.
    var stamp: UInt64
}

/// Messages in server order: a persistent tree of fixed height.
///
/// Leaves hold up to 64 messages, pages up to 32 leaves, books up to 32 pages; the root has one
/// entry for each 65,536 messages or so. A change while a copy is held copies one leaf, one page,
/// one book and the root, and touches nothing else. Neighbours in the room are neighbours in
/// memory, so that what happens at an end of the room costs the same in a large room as in a small
/// one; a hash table beside the order would scatter each page over all of its memory.
///
/// A look-up walks three nodes and then computes the place in the leaf from the ID itself, because
/// IDs that a server counts or takes from its clock grow evenly: O(1) but for the root's
/// logarithm, which a room of millions does not feel. Uneven IDs cost a binary search in the leaf.
///
/// Growth at either end leaves full leaves behind, an insertion in the middle splits a full one.
/// Small leaves are not joined again: a timeline loses messages one by one and rarely.
struct MessageStore: Sendable {
    private typealias Leaf = ContiguousArray<HeldMessage>
    private typealias Page = OrderedBranch<Leaf>
    private typealias Book = OrderedBranch<Page>

    /// The place of a message. `slot` may be the leaf's end.
    private struct Place {
        var book: Int
        var page: Int
        var leaf: Int
        var slot: Int
    }

    private static let leafCapacity = 64
    private static let pageCapacity = 32
    private static let bookCapacity = 32

    /// No leaf, page or book is empty.
    private var root = OrderedBranch<Book>()
    private(set) var count = 0

    init() {}

    /// The oldest ID.
    var first: MessageID? { count == 0 ? nil : root[0][0][0][0].message.id }

    /// The newest ID.
    var last: MessageID? {
        guard count > 0 else { return nil }
        let place = lastPlace()
        return root[place.book][place.page][place.leaf][place.slot - 1].message.id
    }

    /// The message with an ID.
    ///
    /// - Complexity: O(1) for evenly growing IDs.
    subscript(id: MessageID) -> Message? {
        find(id).map { root[$0.book][$0.page][$0.leaf][$0.slot].message }
    }

    /// When the held state of a message was learnt; `nil` where it is not held.
    ///
    /// - Complexity: O(1) for evenly growing IDs.
    func stamp(of id: MessageID) -> UInt64? {
        find(id).map { root[$0.book][$0.page][$0.leaf][$0.slot].stamp }
    }

    /// Adds a message.
    ///
    /// - Precondition: it is not held.
    /// - Complexity: amortised O(1) at either end of the order, O(log n) elsewhere.
    mutating func insert(_ held: HeldMessage) {
        let id = held.message.id
        count += 1
        guard count > 1 else {
            root = OrderedBranch(OrderedBranch(OrderedBranch([held], low: id), low: id), low: id)
            return
        }
        var place = insertionPlace(for: id)
        if root[place.book][place.page][place.leaf].count < Self.leafCapacity {
            root[place.book][place.page][place.leaf].insert(held, at: place.slot)
        } else {
            insertIntoFullLeaf(held, at: &place)
        }
        if place.slot == 0 {
            root[place.book][place.page].lower(place.leaf, to: id)
            root[place.book].lower(place.page, to: id)
            root.lower(place.book, to: id)
        }
        if root[place.book][place.page].count > Self.pageCapacity { splitPage(at: place) }
    }

    /// Adds a stretch of messages that lies beyond either end of what is held, as whole leaves.
    ///
    /// - Precondition: the messages ascend, and ``isBeyond(_:)`` holds for them.
    /// - Complexity: O(messages given).
    mutating func insert(stretch: [HeldMessage]) {
        guard let start = stretch.first?.message.id else { return }
        // Equal parts, so that a page a little larger than a leaf does not leave a tiny one.
        let parts = (stretch.count + Self.leafCapacity - 1) / Self.leafCapacity
        let leaves = (0..<parts).map { part in
            Leaf(stretch[part * stretch.count / parts..<(part + 1) * stretch.count / parts])
        }
        if let first, start < first {
            for leaf in leaves.reversed() {
                insert(leaf, at: Place(book: 0, page: 0, leaf: 0, slot: 0))
            }
        } else {
            for leaf in leaves {
                var place = count == 0 ? Place(book: 0, page: 0, leaf: 0, slot: 0) : lastPlace()
                if count > 0 { place.leaf += 1 }
                insert(leaf, at: place)
            }
        }
    }

    /// Whether ascending messages all lie beyond the same end of what is held, and are so many that
    /// leaves of their own are worth while.
    func isBeyond(_ messages: [Message]) -> Bool {
        guard messages.count >= Self.leafCapacity / 2, let start = messages.first?.id,
            let end = messages.last?.id
        else { return false }
        guard let first, let last else { return true }
        return end < first || start > last
    }

    /// Replaces a message that is held.
    ///
    /// - Complexity: as for a look-up.
    mutating func update(_ held: HeldMessage) {
        guard let place = find(held.message.id) else {
            preconditionFailure("an update of a message that is not held")
        }
        root[place.book][place.page][place.leaf][place.slot] = held
    }

    /// Removes a message that is held.
    ///
    /// - Complexity: O(log n).
    mutating func remove(_ id: MessageID) {
        guard let place = find(id) else {
            preconditionFailure("a removal of a message that is not held")
        }
        count -= 1
        root[place.book][place.page][place.leaf].remove(at: place.slot)
        if let next = root[place.book][place.page][place.leaf].first {
            if place.slot == 0 {
                root[place.book][place.page].raise(place.leaf, to: next.message.id)
            }
            return
        }
        root[place.book][place.page].remove(at: place.leaf)
        guard root[place.book][place.page].count == 0 else { return }
        root[place.book].remove(at: place.page)
        guard root[place.book].count == 0 else { return }
        root.remove(at: place.book)
    }

    // MARK: Growing

    private mutating func insertIntoFullLeaf(_ held: HeldMessage, at place: inout Place) {
        let id = held.message.id
        if place.slot == Self.leafCapacity {
            // Growth towards the newest: the full leaf stays full, and so does the other way.
            place.leaf += 1
            root[place.book][place.page].insert(leaf(of: held), low: id, at: place.leaf)
        } else if place.slot == 0 {
            root[place.book][place.page].insert(leaf(of: held), low: id, at: place.leaf)
        } else {
            let middle = Self.leafCapacity / 2
            let upper = Leaf(root[place.book][place.page][place.leaf][middle...])
            root[place.book][place.page][place.leaf].removeSubrange(middle...)
            root[place.book][place.page].insert(
                upper, low: upper[0].message.id, at: place.leaf + 1)
            if place.slot > middle {
                place.leaf += 1
                place.slot -= middle
            }
            root[place.book][place.page][place.leaf].insert(held, at: place.slot)
        }
    }

    /// Adds a leaf at an end.
    private mutating func insert(_ leaf: Leaf, at place: Place) {
        let low = leaf[0].message.id
        defer { count += leaf.count }
        guard count > 0 else {
            root = OrderedBranch(OrderedBranch(OrderedBranch(leaf, low: low), low: low), low: low)
            return
        }
        root[place.book][place.page].insert(leaf, low: low, at: place.leaf)
        root[place.book].lower(place.page, to: low)
        root.lower(place.book, to: low)
        if root[place.book][place.page].count > Self.pageCapacity { splitPage(at: place) }
    }

    /// A leaf that will most likely be filled.
    private func leaf(of held: HeldMessage) -> Leaf {
        var leaf = Leaf()
        leaf.reserveCapacity(Self.leafCapacity)
        leaf.append(held)
        return leaf
    }

    private mutating func splitPage(at place: Place) {
        let page = root[place.book][place.page].split(grownAt: place.leaf)
        root[place.book].insert(page, low: page.lows[0], at: place.page + 1)
        guard root[place.book].count > Self.bookCapacity else { return }
        let grownAt = place.leaf == 0 && place.page == 0 ? 0 : place.page + 1
        let book = root[place.book].split(grownAt: grownAt)
        root.insert(book, low: book.lows[0], at: place.book + 1)
    }

    // MARK: Searching

    private func find(_ id: MessageID) -> Place? {
        guard count > 0 else { return nil }
        let place = leafPlace(of: id)
        let page = root[place.book][place.page]
        let leaf = page[place.leaf]
        // The bounds come from the page, which a look-up has read already; the leaf itself is read
        // at one place.
        let end = leaf.count - 1
        let isLast = place.leaf + 1 == page.count
        var slot = Self.guess(
            id, between: page.lows[place.leaf],
            and: isLast ? leaf[end].message.id : page.lows[place.leaf + 1],
            among: isLast ? end : leaf.count)
        slot = min(slot, end)
        if leaf[slot].message.id != id {
            // Most IDs that are not held lie beyond an end of the room, and so of a leaf.
            guard leaf[0].message.id <= id, id <= leaf[end].message.id else { return nil }
            slot = Self.slot(of: id, in: leaf)
            guard leaf[slot].message.id == id else { return nil }
        }
        return Place(book: place.book, page: place.page, leaf: place.leaf, slot: slot)
    }

    /// The leaf in which an ID lies, if anywhere.
    private func leafPlace(of id: MessageID) -> Place {
        let book = root.index(of: id)
        let page = root[book].index(of: id)
        return Place(book: book, page: page, leaf: root[book][page].index(of: id), slot: 0)
    }

    /// Where an ID belongs: before all that are not below it.
    private func insertionPlace(for id: MessageID) -> Place {
        if let last, id > last { return lastPlace() }
        if let first, id <= first { return Place(book: 0, page: 0, leaf: 0, slot: 0) }
        var place = leafPlace(of: id)
        place.slot = Self.slot(of: id, in: root[place.book][place.page][place.leaf])
        return place
    }

    private func lastPlace() -> Place {
        let book = root.count - 1
        let page = root[book].count - 1
        let leaf = root[book][page].count - 1
        return Place(book: book, page: page, leaf: leaf, slot: root[book][page][leaf].count)
    }

    /// How many of `count` even steps lead from `start` to an ID, if that many lead to `end`.
    private static func guess(
        _ id: MessageID, between start: MessageID, and end: MessageID, among count: Int
    ) -> Int {
        guard start < id, id < end else { return id < end ? 0 : count }
        // 63 bits are more than exact enough. IDs that differ in more are scaled down first.
        let range = end.rawValue - start.rawValue
        let shift = max(0, 65 - range.leadingZeroBitCount)
        let width = Int64(truncatingIfNeeded: range >> shift)
        let offset = Int64(truncatingIfNeeded: (id.rawValue - start.rawValue) >> shift)
        return Int((Double(offset) / Double(width) * Double(count)).rounded())
    }

    /// The slot of the first ID in a leaf that is not below a bound.
    private static func slot(of bound: MessageID, in leaf: Leaf) -> Int {
        var low = 0
        var high = leaf.count
        while low < high {
            let middle = (low + high) / 2
            if leaf[middle].message.id < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension MessageStore {
    // MARK: Walking

    /// The first `limit` messages in `(bound, end]`, ascending, each transformed; `nil` bounds are
    /// open.
    ///
    /// - Complexity: O(log n + messages returned).
    func collect<Part>(
        after bound: MessageID?, through end: MessageID?, limit: Int,
        _ transform: (HeldMessage) -> Part
    ) -> [Part] {
        var result: [Part] = []
        forEach(after: bound, through: end, limit: limit) { result.append(transform($0)) }
        return result
    }

    /// Walks through the first `limit` messages in `(bound, end]`, ascending; `nil` bounds are
    /// open.
    ///
    /// - Complexity: O(log n + messages visited).
    func forEach(
        after bound: MessageID?, through end: MessageID? = nil, limit: Int,
        _ body: (HeldMessage) -> Void
    ) {
        guard count > 0, bound != bound?.successor || bound == nil else { return }
        var place =
            bound.map { insertionPlace(for: $0.successor) }
            ?? Place(book: 0, page: 0, leaf: 0, slot: 0)
        var left = limit
        while left > 0 {
            let leaf = root[place.book][place.page][place.leaf]
            let stop = left < leaf.count - place.slot ? place.slot + left : leaf.count
            for slot in place.slot..<stop {
                if let end, leaf[slot].message.id > end { return }
                body(leaf[slot])
            }
            left -= stop - place.slot
            guard let next = leafPlace(after: place) else { return }
            place = next
        }
    }

    /// The last `limit` messages before a bound, ascending, each transformed; `nil`: the newest.
    ///
    /// - Complexity: O(log n + messages returned).
    func collect<Part>(
        before bound: MessageID?, limit: Int, _ transform: (HeldMessage) -> Part
    ) -> [Part] {
        var result: [Part] = []
        result.reserveCapacity(min(limit, count))
        forEach(before: bound, limit: limit) { result.append(transform($0)) }
        return result
    }

    /// Walks through the last `limit` messages before a bound, ascending; `nil`: the newest.
    ///
    /// - Complexity: O(log n + messages visited).
    func forEach(before bound: MessageID?, limit: Int, _ body: (HeldMessage) -> Void) {
        guard count > 0 else { return }
        let end = bound.map { insertionPlace(for: $0) } ?? lastPlace()
        var place = start(ofLast: limit, before: end)
        while true {
            let leaf = root[place.book][place.page][place.leaf]
            let isLast =
                place.leaf == end.leaf && place.page == end.page && place.book == end.book
            for slot in place.slot..<(isLast ? end.slot : leaf.count) { body(leaf[slot]) }
            guard !isLast, let next = leafPlace(after: place) else { return }
            place = next
        }
    }

    /// The first of the last `limit` messages before a bound; `nil`: the newest.
    ///
    /// - Complexity: O(log n + limit / 64).
    func first(ofLast limit: Int, before bound: MessageID?) -> MessageID? {
        guard count > 0, limit > 0 else { return nil }
        let end = bound.map { insertionPlace(for: $0) } ?? lastPlace()
        let start = start(ofLast: limit, before: end)
        guard
            start.slot < end.slot || start.leaf != end.leaf || start.page != end.page
                || start.book != end.book
        else { return nil }
        return root[start.book][start.page][start.leaf][start.slot].message.id
    }

    /// Where the last `limit` messages before a place begin.
    private func start(ofLast limit: Int, before end: Place) -> Place {
        var start = end
        var missing = max(limit, 0)
        while start.slot < missing, let previous = leafPlace(before: start) {
            missing -= start.slot
            start = previous
        }
        start.slot = max(0, start.slot - missing)
        return start
    }

    /// The first `limit` IDs in `(bound, end]`, ascending; `nil` bounds are open.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(after bound: MessageID?, through end: MessageID?, limit: Int) -> [MessageID] {
        collect(after: bound, through: end, limit: limit) { $0.message.id }
    }

    /// The last `limit` IDs before a bound, ascending; `nil`: the newest.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(before bound: MessageID?, limit: Int) -> [MessageID] {
        collect(before: bound, limit: limit) { $0.message.id }
    }

    /// The start of the leaf that follows.
    private func leafPlace(after place: Place) -> Place? {
        if place.leaf + 1 < root[place.book][place.page].count {
            return Place(book: place.book, page: place.page, leaf: place.leaf + 1, slot: 0)
        }
        if place.page + 1 < root[place.book].count {
            return Place(book: place.book, page: place.page + 1, leaf: 0, slot: 0)
        }
        guard place.book + 1 < root.count else { return nil }
        return Place(book: place.book + 1, page: 0, leaf: 0, slot: 0)
    }

    /// The end of the leaf that precedes.
    private func leafPlace(before place: Place) -> Place? {
        var place = place
        if place.leaf > 0 {
            place.leaf -= 1
        } else if place.page > 0 {
            place.page -= 1
            place.leaf = root[place.book][place.page].count - 1
        } else if place.book > 0 {
            place.book -= 1
            place.page = root[place.book].count - 1
            place.leaf = root[place.book][place.page].count - 1
        } else {
            return nil
        }
        place.slot = root[place.book][place.page][place.leaf].count
        return place
    }

    #if DEBUG
    /// Traps unless no node is empty or too large, all IDs ascend, and each is found.
    ///
    /// - Complexity: O(n log n).
    func checkInvariants() {
        precondition(root.children.allSatisfy { 1...Self.bookCapacity ~= $0.count })
        let pages = root.children.lazy.flatMap(\.children)
        precondition(pages.allSatisfy { 1...Self.pageCapacity ~= $0.count })
        precondition(
            pages.allSatisfy { $0.children.allSatisfy { 1...Self.leafCapacity ~= $0.count } })
        let ids = ids(after: nil, through: nil, limit: .max)
        precondition(ids.count == count)
        precondition(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        precondition(ids.allSatisfy { find($0) != nil })
    }
    #endif
}
