/// One element of a ``SumTree``.
protocol SumTreeElement: Sendable {
    /// What it adds to the sums of its chunk.
    var sum: RowSum { get }
}

/// How many elements a chunk of a ``SumTree`` holds. Tests take small chunks, so that each edit
/// splits and joins some.
package struct TreeShape: Hashable, Sendable {
    /// The most elements of a leaf.
    package var leaf: Int
    /// The most leaves of a page.
    package var page: Int

    package init(leaf: Int = 128, page: Int = 64) {
        self.leaf = leaf
        self.page = page
    }

    package static let standard = TreeShape()
}

/// A persistent sequence with sums: leaves of elements, pages of leaves, one root of pages.
///
/// A copy costs O(1), and a change while a copy is held copies one leaf, one page and the root, of
/// which a million elements have about a hundred entries. So what an edit or a search costs hardly
/// shows the number of elements: at a million the root is one more stretch of memory to scan.
///
/// Growth at an end leaves full chunks behind; an insertion in the middle splits a full one evenly;
/// a removal joins small neighbours.
struct SumTree<Element: SumTreeElement>: Sendable {
    typealias Leaf = ContiguousArray<Element>
    typealias Page = SumBranch<Leaf>

    /// The place of an element, and what lies before it.
    struct Place {
        var page = 0
        var leaf = 0
        var slot = 0
        var before = RowSum.zero
    }

    let shape: TreeShape
    private var root = SumBranch<Page>()
    /// What all elements amount to.
    private(set) var total = RowSum.zero

    init(shape: TreeShape = .standard) { self.shape = shape }

    /// - Complexity: O(n).
    init(_ elements: some Collection<Element>, shape: TreeShape = .standard) {
        self.init(shape: shape)
        insert(contentsOf: elements, at: 0)
    }

    var count: Int { Int(total.count) }

    // MARK: Reading

    subscript(index: Int) -> Element {
        let place = place(of: index)
        return root[place.page][place.leaf][place.slot]
    }

    /// What the elements before an index amount to; the index may be the end.
    func sum(before index: Int) -> RowSum {
        if index >= count { return total }
        var place = place(of: index)
        let leaf = root[place.page][place.leaf]
        for slot in 0..<place.slot { place.before += leaf[slot].sum }
        return place.before
    }

    /// The index of the first element with which the sums of all up to it stop being skipped, and
    /// what lies before it; `nil` where all are skipped.
    ///
    /// - Parameter skips: must never turn from `false` to `true` as sums grow.
    func search(_ skips: (RowSum) -> Bool) -> (index: Int, before: RowSum)? {
        var before = RowSum.zero
        guard let page = root.skip(&before, skips) else { return nil }
        guard let leaf = root[page].skip(&before, skips) else { return nil }
        for element in root[page][leaf] {
            let next = before + element.sum
            guard skips(next) else { return (Int(before.count), before) }
            before = next
        }
        return nil
    }

    /// Calls `body` with each element of a range, and its index.
    ///
    /// - Complexity: O(range) beside the search for its start.
    func forEach(in range: Range<Int>, _ body: (Int, Element) -> Void) {
        guard !range.isEmpty else { return }
        var place = place(of: range.lowerBound)
        var index = range.lowerBound
        while place.page < root.count {
            let page = root[place.page]
            while place.leaf < page.count {
                for element in page[place.leaf][place.slot...] {
                    body(index, element)
                    index += 1
                    if index == range.upperBound { return }
                }
                place.leaf += 1
                place.slot = 0
            }
            place.page += 1
            place.leaf = 0
        }
    }

    // MARK: Changing

    /// Puts another element in the place of one.
    mutating func replace(_ index: Int, with element: Element) {
        let place = place(of: index)
        let old = root[place.page][place.leaf][place.slot].sum
        root[place.page][place.leaf][place.slot] = element
        let new = element.sum
        guard old != new else { return }
        adjust(place) {
            $0 -= old
            $0 += new
        }
    }

    /// Adds elements before the one at an index; the index may be the end.
    ///
    /// - Complexity: O(new + chunk), whatever the count.
    mutating func insert(contentsOf elements: some Collection<Element>, at index: Int) {
        guard !elements.isEmpty else { return }
        precondition(index >= 0 && index <= count, "an insertion outside the rows")
        if count == 0 {
            let page = Page(Self.chunks(of: Leaf(elements), shape.leaf))
            total = page.total
            root = SumBranch(page.split(atMost: shape.page))
            return
        }
        let place = placeForInsertion(at: index)
        let held = root[place.page][place.leaf].count
        if held + elements.count <= shape.leaf {
            var added = RowSum.zero
            for element in elements { added += element.sum }
            root[place.page][place.leaf].insert(
                contentsOf: elements, at: place.slot)
            adjust(place) { $0 += added }
            return
        }
        insert(pieces: Leaf(elements), at: place)
    }

    /// Removes the elements of a range.
    ///
    /// - Complexity: O(chunks in the range + chunk), whatever the count.
    mutating func remove(_ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count, "a removal outside the rows")
        var remaining = range.count
        while remaining > 0 {
            let place = place(of: range.lowerBound)
            let pageCount = Int(root.sum(of: place.page).count)
            if place.slot == 0, place.leaf == 0, remaining >= pageCount {
                total -= root.sum(of: place.page)
                root.remove(at: place.page)
                remaining -= pageCount
                continue
            }
            let held = root[place.page][place.leaf].count
            let leaving = min(remaining, held - place.slot)
            remaining -= leaving
            var removed = RowSum.zero
            for slot in place.slot..<place.slot + leaving {
                removed += root[place.page][place.leaf][slot].sum
            }
            root[place.page][place.leaf].removeSubrange(
                place.slot..<place.slot + leaving)
            adjust(place) { $0 -= removed }
            join(at: place)
        }
    }

    // MARK: Chunks

    private func place(of index: Int) -> Place {
        precondition(index >= 0 && index < count, "a row outside the rows")
        return find {
            $0.count <= index
        } slot: {
            index
        }
    }

    /// As ``place(of:)``, but the end of a chunk rather than the start of the next one.
    private func placeForInsertion(at index: Int) -> Place {
        find {
            $0.count < index
        } slot: {
            index
        }
    }

    private func find(_ skips: (RowSum) -> Bool, slot index: () -> Int) -> Place {
        var place = Place()
        place.page = root.skip(&place.before, skips) ?? root.count - 1
        let page = root[place.page]
        place.leaf = page.skip(&place.before, skips) ?? page.count - 1
        place.slot = index() - Int(place.before.count)
        return place
    }

    private mutating func adjust(_ place: Place, _ change: (inout RowSum) -> Void) {
        root[place.page].adjust(place.leaf, change)
        root.adjust(place.page, change)
        change(&total)
    }

    private mutating func insert(pieces elements: Leaf, at place: Place) {
        let leaf = root[place.page][place.leaf]
        let isFirst = place.slot == 0
        let isLast = place.slot == leaf.count
        var leaves: [Leaf]
        if isFirst {
            leaves = Self.chunks(of: elements, shape.leaf) + [leaf]
        } else if isLast {
            leaves = [leaf] + Self.chunks(of: elements, shape.leaf)
        } else {
            leaves = Self.chunks(
                of: leaf[..<place.slot] + elements + leaf[place.slot...], shape.leaf)
        }
        let old = root.sum(of: place.page)
        let count = root[place.page].count
        root[place.page].replace(place.leaf, with: Page(leaves))
        if count + leaves.count - 1 > shape.page {
            // Growth at an end of the page leaves a full one behind.
            let cut: Int? =
                isFirst && place.leaf == 0
                ? leaves.count - 1 : isLast && place.leaf == count - 1 ? count : nil
            let pages = root[place.page].split(atMost: shape.page, near: cut)
            root.replace(place.page, with: SumBranch<Page>(pages))
            let new = pages.reduce(into: RowSum.zero) { $0 += $1.total }
            total -= old
            total += new
        } else {
            let new = root[place.page].total
            root.adjust(place.page) { $0 = new }
            total -= old
            total += new
        }
    }

    /// Takes out what a removal emptied, and joins what it left small with a neighbour.
    private mutating func join(at place: Place) {
        root[place.page].join(
            at: place.leaf, isEmpty: \.isEmpty, fits: { $0.count + $1.count <= shape.leaf / 2 },
            merge: { $0 += $1 })
        root.join(
            at: place.page, isEmpty: { $0.count == 0 },
            fits: { $0.count + $1.count <= shape.page / 2 }, merge: { $0.append($1) })
    }

    /// Cuts elements into chunks of even size.
    private static func chunks(of elements: Leaf, _ limit: Int) -> [Leaf] {
        let number = (elements.count + limit - 1) / limit
        guard number > 1 else { return [elements] }
        return (0..<number).map { piece in
            let start = elements.count * piece / number
            return Leaf(elements[start..<elements.count * (piece + 1) / number])
        }
    }
}

/// A chunk that knows what it amounts to.
protocol Summed {
    var total: RowSum { get }
}

extension ContiguousArray: Summed where Element: SumTreeElement {
    var total: RowSum { reduce(into: RowSum.zero) { $0 += $1.sum } }
}
