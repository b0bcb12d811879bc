/// How the places of rows shift where some go and others come: the rest keep their order.
struct IndexShift: Hashable, Sendable {
    /// Old places of what goes, ascending.
    let gone: [Int]
    /// New places of what comes, ascending.
    let come: [Int]

    /// The new place of a row that stays; `nil` where it goes.
    ///
    /// - Complexity: O(log n) in what goes and comes, as all here.
    func newPlace(of old: Int) -> Int? {
        let before = gone.lowerBound(of: old)
        if before < gone.count, gone[before] == old { return nil }
        return Self.place(ofStaying: old - before, among: come)
    }

    /// The old place of a row that stayed; `nil` where it came.
    func oldPlace(of new: Int) -> Int? {
        let before = come.lowerBound(of: new)
        if before < come.count, come[before] == new { return nil }
        return Self.place(ofStaying: new - before, among: gone)
    }

    /// The least new place of what follows a place: where the row itself would stand had it stayed.
    func newPlace(following old: Int) -> Int {
        Self.place(ofStaying: old - gone.lowerBound(of: old), among: come)
    }

    /// How many staying rows stand before an old place.
    func staying(beforeOld place: Int) -> Int { place - gone.lowerBound(of: place) }

    /// How many staying rows stand before a new place.
    func staying(beforeNew place: Int) -> Int { place - come.lowerBound(of: place) }

    /// The place of the staying row with a number, where others stand at the places `taken`.
    private static func place(ofStaying number: Int, among taken: [Int]) -> Int {
        var (low, high) = (0, taken.count)
        while low < high {
            let middle = (low + high) / 2
            if taken[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return number + low
    }
}

extension [Int] {
    /// The first place in an ascending array whose value is not below another.
    func lowerBound(of value: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether an ascending array holds a value.
    func holds(_ value: Int) -> Bool {
        let place = lowerBound(of: value)
        return place < count && self[place] == value
    }

    /// The stretches of neighbours in an ascending array.
    var runs: [Range<Int>] {
        var runs: [Range<Int>] = []
        for value in self {
            if let last = runs.last, last.upperBound == value {
                runs[runs.count - 1] = last.lowerBound..<value + 1
            } else {
                runs.append(value..<value + 1)
            }
        }
        return runs
    }
}
