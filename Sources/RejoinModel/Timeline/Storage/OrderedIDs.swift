/// IDs in ascending order: leaves of at most 256 in pages of at most 64 leaves.
///
/// A change while a copy is held copies one leaf, one page and the root, which has one entry for
/// about 16,000 IDs. Growth at either end leaves full leaves behind; an insertion in the middle
/// splits a full one. Small leaves are not joined again: a timeline loses messages one by one and
/// rarely.
struct OrderedIDs: Sendable {
    private typealias Leaf = ContiguousArray<MessageID>
    private typealias Page = ContiguousArray<Leaf>

    private struct Place {
        var page: Int
        var leaf: Int
        var slot: Int
    }

    private static let leafCapacity = 256
    private static let pageCapacity = 64

    /// No page and no leaf is empty.
    private var pages: ContiguousArray<Page> = []
    private(set) var count = 0

    init() {}

    var first: MessageID? { pages.first?.first?.first }

    var last: MessageID? { pages.last?.last?.last }

    /// Adds an ID.
    ///
    /// - Precondition: it is not held.
    /// - Complexity: amortised O(1) at either end, O(log n) elsewhere.
    mutating func insert(_ id: MessageID) {
        count += 1
        guard var place = insertionPlace(for: id) else {
            pages.append([[id]])
            return
        }
        let held = pages[place.page][place.leaf].count
        guard held == Self.leafCapacity else {
            pages[place.page][place.leaf].insert(id, at: place.slot)
            return
        }
        if place.slot == held {
            // Growth towards the newest: the full leaf stays full, and so does the other way.
            place.leaf += 1
            pages[place.page].insert([id], at: place.leaf)
        } else if place.slot == 0 {
            pages[place.page].insert([id], at: place.leaf)
        } else {
            let middle = held / 2
            let upper = Leaf(pages[place.page][place.leaf][middle...])
            pages[place.page][place.leaf].removeSubrange(middle...)
            pages[place.page].insert(upper, at: place.leaf + 1)
            if place.slot > middle {
                pages[place.page][place.leaf + 1].insert(id, at: place.slot - middle)
            } else {
                pages[place.page][place.leaf].insert(id, at: place.slot)
            }
        }
        if pages[place.page].count > Self.pageCapacity {
            split(page: place.page, grownAt: place.leaf)
        }
    }

    /// Removes an ID.
    ///
    /// - Precondition: it is held.
    /// - Complexity: O(log n).
    mutating func remove(_ id: MessageID) {
        let place = firstPlace(notBefore: id)
        count -= 1
        pages[place.page][place.leaf].remove(at: place.slot)
        guard pages[place.page][place.leaf].isEmpty else { return }
        pages[place.page].remove(at: place.leaf)
        guard pages[place.page].isEmpty else { return }
        pages.remove(at: place.page)
    }

    /// The first `limit` IDs in `(bound, end]`, ascending; `nil` bounds are open.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(after bound: MessageID?, through end: MessageID?, limit: Int) -> [MessageID] {
        if let bound, bound == bound.successor { return [] }
        var result: [MessageID] = []
        var place =
            bound.map { firstPlace(notBefore: $0.successor) } ?? Place(page: 0, leaf: 0, slot: 0)
        while place.page < pages.count, result.count < limit {
            let leaf = pages[place.page][place.leaf]
            for id in leaf[place.slot...].prefix(limit - result.count) {
                if let end, id > end { return result }
                result.append(id)
            }
            place = placeAfter(leaf: place.leaf, of: place.page)
        }
        return result
    }

    /// The last `limit` IDs before a bound, ascending; `nil`: the newest.
    ///
    /// - Complexity: O(log n + IDs returned).
    func ids(before bound: MessageID?, limit: Int) -> [MessageID] {
        var place =
            bound.map { firstPlace(notBefore: $0) } ?? Place(page: pages.count, leaf: 0, slot: 0)
        var descending: [MessageID] = []
        while descending.count < limit {
            if place.slot == 0 {
                if place.leaf == 0 {
                    guard place.page > 0 else { break }
                    place.page -= 1
                    place.leaf = pages[place.page].count
                }
                place.leaf -= 1
                place.slot = pages[place.page][place.leaf].count
            }
            let below = pages[place.page][place.leaf][..<place.slot]
            let taken = below.suffix(limit - descending.count)
            descending.append(contentsOf: taken.reversed())
            place.slot -= taken.count
        }
        return descending.reversed()
    }

    /// The place of the first ID that is not below a bound; the end where there is none.
    private func firstPlace(notBefore bound: MessageID) -> Place {
        guard let place = insertionPlace(for: bound) else {
            return Place(page: 0, leaf: 0, slot: 0)
        }
        guard place.slot == pages[place.page][place.leaf].count else { return place }
        return placeAfter(leaf: place.leaf, of: place.page)
    }

    private func placeAfter(leaf: Int, of page: Int) -> Place {
        leaf + 1 < pages[page].count
            ? Place(page: page, leaf: leaf + 1, slot: 0) : Place(page: page + 1, leaf: 0, slot: 0)
    }

    /// Where an ID belongs: in the last leaf that does not begin after it, else in the first, before
    /// all that are not below it. `nil` where nothing is held.
    private func insertionPlace(for id: MessageID) -> Place? {
        guard let last, let first else { return nil }
        if id > last {
            let page = pages.count - 1
            let leaf = pages[page].count - 1
            return Place(page: page, leaf: leaf, slot: pages[page][leaf].count)
        }
        if id <= first { return Place(page: 0, leaf: 0, slot: 0) }
        let page = Self.count(in: 0..<pages.count) { pages[$0][0][0] <= id } - 1
        let leaf = Self.count(in: 0..<pages[page].count) { pages[page][$0][0] <= id } - 1
        let ids = pages[page][leaf]
        return Place(
            page: page, leaf: leaf, slot: Self.count(in: 0..<ids.count) { ids[$0] < id })
    }

    /// Splits a page that is too large; one that grew at an end stays full.
    private mutating func split(page: Int, grownAt leaf: Int) {
        let end = pages[page].count
        let middle = leaf == end - 1 ? end - 1 : leaf == 0 ? 1 : end / 2
        let upper = Page(pages[page][middle...])
        pages[page].removeSubrange(middle...)
        pages.insert(upper, at: page + 1)
    }

    /// How many indices, from the first on, meet a condition that no later one meets again.
    private static func count(in indices: Range<Int>, where condition: (Int) -> Bool) -> Int {
        var low = indices.lowerBound
        var high = indices.upperBound
        while low < high {
            let middle = (low + high) / 2
            if condition(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    #if DEBUG
        /// Traps unless no page or leaf is empty or too large and all IDs ascend.
        ///
        /// - Complexity: O(n).
        func checkInvariants() {
            precondition(pages.allSatisfy { !$0.isEmpty && $0.count <= Self.pageCapacity })
            let leaves = pages.joined()
            precondition(leaves.allSatisfy { !$0.isEmpty && $0.count <= Self.leafCapacity })
            let ids = leaves.joined()
            precondition(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
            precondition(ids.reduce(0) { sum, _ in sum + 1 } == count)
        }
    #endif
}
