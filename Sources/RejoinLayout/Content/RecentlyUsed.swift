/// A dictionary that keeps the values used last: where it is full, the one not used for longest
/// goes.
///
/// Every operation is O(1) on average.
struct RecentlyUsed<Key: Hashable, Value> {
    /// One value in the chain from the most to the least recently used.
    private struct Link {
        var key: Key
        var value: Value
        var newer: Int
        var older: Int
    }

    /// The most values that are kept.
    let limit: Int
    private var places: [Key: Int] = [:]
    private var links: [Link] = []
    private var newest = -1
    private var oldest = -1

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { links.count }

    /// The value of a key, which counts as used.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        use(place)
        return links[place].value
    }

    /// Keeps a value, which counts as used.
    mutating func keep(_ value: Value, for key: Key) {
        if let place = places[key] {
            links[place].value = value
            use(place)
            return
        }
        let place: Int
        if links.count < limit {
            place = links.count
            links.append(Link(key: key, value: value, newer: -1, older: -1))
        } else {
            place = oldest
            unlink(place)
            places[links[place].key] = nil
            links[place] = Link(key: key, value: value, newer: -1, older: -1)
        }
        places[key] = place
        lead(place)
    }

    private mutating func use(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        lead(place)
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (links[place].newer, links[place].older)
        if newer >= 0 { links[newer].older = older } else { newest = older }
        if older >= 0 { links[older].newer = newer } else { oldest = newer }
    }

    private mutating func lead(_ place: Int) {
        links[place].newer = -1
        links[place].older = newest
        if newest >= 0 { links[newest].newer = place } else { oldest = place }
        newest = place
    }
}
