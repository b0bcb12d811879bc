/// Remembers the clusters of words, so that a word seen before is not shaped again.
///
/// Two generations share the budget: words enter the young one; once it takes half the budget it
/// becomes the old one, and what the former old one held is forgotten. A word found among the old
/// ones moves to the young ones, so words in use stay. Each look-up is one hash over the word's
/// bytes and one full comparison; nothing is allocated for a word that is known.
///
/// A cache belongs to one ``TextPreparer`` and its shaper; it is not for sharing among threads.
public final class WordCache {
    /// How well it works.
    public struct Statistics: Hashable, Sendable {
        /// Words found.
        public var hits = 0
        /// Words not found.
        public var misses = 0
        /// How often a generation was forgotten.
        public var turnovers = 0
        /// The bytes taken now, tables included.
        public var byteCount = 0
        /// The share of words found; 0 where none was looked for.
        public var hitRate: Double {
            hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
        }
    }

    /// The most bytes it takes.
    public let byteBudget: Int
    /// Longer words are not kept: they are hardly ever said twice.
    static let longestWord = 64
    /// The most combinations of font, direction and language, so that a number of one fits into 8
    /// bits; beyond it everything is forgotten.
    static let mostStyles = 256

    // Unchecked, since every word looks here and no call gives way to another one in between.
    @exclusivity(unchecked) private var young = WordGeneration()
    @exclusivity(unchecked) private var old = WordGeneration()
    /// Rises whenever numbers of styles lose their meaning.
    private(set) var generation = 0
    private var styles: [WordStyle] = []
    @exclusivity(unchecked) private var spaces: [Bool] = []
    @exclusivity(unchecked) private var gaps = GapTable()
    @exclusivity(unchecked) private var counts = Statistics()

    /// Creates a cache.
    ///
    /// - Parameter byteBudget: at least 64 KiB are taken for granted.
    public init(byteBudget: Int = 1 << 20) {
        self.byteBudget = max(byteBudget, 1 << 16)
    }

    /// How well it worked so far.
    public var statistics: Statistics {
        var statistics = counts
        statistics.byteCount = young.byteCount + old.byteCount + gaps.byteCount
        return statistics
    }

    /// Forgets everything.
    public func removeAll() {
        young = WordGeneration()
        old = WordGeneration()
        styles = []
        spaces = []
        gaps = GapTable()
        generation += 1
    }

    /// The number of a style, for the calls below; valid as long as ``generation``.
    func number(of style: WordStyle) -> Int {
        if let known = styles.firstIndex(of: style) { return known }
        if styles.count >= Self.mostStyles { removeAll() }
        styles.append(style)
        spaces.append(false)
        return styles.count - 1
    }

    /// Whether spaces of a style were seen that no word changes: then the shaper's
    /// ``TextShaper/spaceAdvance(after:inScriptOf:before:font:direction:language:)`` holds.
    func hasFreeSpaces(_ style: Int) -> Bool { spaces[style] }

    /// Remembers that no word changes spaces of a style.
    func setFreeSpaces(_ style: Int) { spaces[style] = true }

    /// The advance of a space, where it was kept.
    @inline(__always)
    func gap(_ key: GapTable.Key) -> Int32? { gaps[key] }

    /// Remembers the advance of a space.
    func setGap(_ advance: Int32, for key: GapTable.Key) { gaps.insert(advance, for: key) }

    /// Appends the clusters of a word to `clusters`.
    ///
    /// - Returns: how the word stands out of the line's box; nil where the word is not known.
    func append(
        _ bytes: [UInt8], _ range: Range<Int>, _ hash: UInt32, style: Int,
        to clusters: inout [PackedCluster]
    ) -> WordExtent? {
        if let extent = young.append(bytes, range, hash, style: style, to: &clusters) {
            counts.hits += 1
            return extent
        }
        let start = clusters.count
        if let extent = old.append(bytes, range, hash, style: style, to: &clusters) {
            counts.hits += 1
            insert(bytes, range, hash, style: style, clusters[start...], extent)
            return extent
        }
        counts.misses += 1
        return nil
    }

    /// Whether a word is known.
    func knows(_ bytes: [UInt8], _ range: Range<Int>, _ hash: UInt32, style: Int) -> Bool {
        let isKnown =
            young.find(bytes, range, hash, style) != nil
            || old.find(bytes, range, hash, style) != nil
        if !isKnown { counts.misses += 1 }
        return isKnown
    }

    /// Remembers a word.
    func insert(
        _ bytes: [UInt8], _ range: Range<Int>, _ hash: UInt32, style: Int,
        _ clusters: ArraySlice<PackedCluster>, _ extent: WordExtent
    ) {
        guard range.count <= Self.longestWord else { return }
        let room = (byteBudget - GapTable.fullByteCount) / 2
        if young.byteCount(adding: range.count, clusters.count) > room {
            old = young
            young = WordGeneration()
            counts.turnovers += 1
        }
        guard young.byteCount(adding: range.count, clusters.count) <= room else { return }
        young.insert(bytes, range, hash, style: style, clusters, extent)
    }

    /// The hash of no bytes.
    static let hashSeed: UInt32 = 0x811C_9DC5

    /// The hash of one byte more (FNV-1a).
    @inline(__always)
    static func mix(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
        (hash ^ UInt32(byte)) &* 0x0100_0193
    }
}

/// Everything but its bytes that the clusters of a word hang on.
struct WordStyle: Hashable {
    var font: FontRequest
    var direction: TextDirection
    var language: String
    var fontEpoch: UInt64
    /// The metrics up to which a word keeps inside the line's box.
    var highest: Int32
    var lowest: Int32
}

/// By how much a word stands out of its line's box; zero where it does not.
struct WordExtent: Hashable {
    var above: Int32 = 0
    var below: Int32 = 0
}

/// One generation: an open hash table over arrays that only grow.
struct WordGeneration {
    private struct Entry {
        var hash: UInt32
        var byteStart: UInt32
        var clusterStart: UInt32
        var above: Int32
        var below: Int32
        var style: UInt16
        var byteCount: UInt8
        var clusterCount: UInt8
    }

    /// Numbers of entries plus one; 0 is free. Its count is a power of two, at most three quarters
    /// taken.
    private var slots: [UInt32] = []
    private var entries: [Entry] = []
    private var bytes: [UInt8] = []
    private var clusters: [PackedCluster] = []

    /// The bytes that it takes.
    var byteCount: Int {
        slots.count * 4 + entries.count * MemoryLayout<Entry>.stride + bytes.count
            + clusters.count * 4
    }

    /// The same with one word more.
    func byteCount(adding length: Int, _ clusterCount: Int) -> Int {
        let grows = (entries.count + 1) * 4 > slots.count * 3
        return byteCount + (grows ? max(64, slots.count) * 4 : 0)
            + MemoryLayout<Entry>.stride + length + clusterCount * 4
    }

    @inline(__always)
    func append(
        _ word: [UInt8], _ range: Range<Int>, _ hash: UInt32, style: Int,
        to result: inout [PackedCluster]
    ) -> WordExtent? {
        guard let number = find(word, range, hash, style) else { return nil }
        let entry = entries[number]
        let start = Int(entry.clusterStart)
        result.append(contentsOf: clusters[start..<(start + Int(entry.clusterCount))])
        return WordExtent(above: entry.above, below: entry.below)
    }

    /// The number of a word's entry.
    func find(_ word: [UInt8], _ range: Range<Int>, _ hash: UInt32, _ style: Int) -> Int? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count - 1
        var slot = Self.place(hash, style) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            let entry = entries[number]
            if entry.hash == hash, Int(entry.style) == style,
                Int(entry.byteCount) == range.count, equals(entry, word, range.lowerBound)
            {
                return number
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func equals(_ entry: Entry, _ word: [UInt8], _ start: Int) -> Bool {
        let own = Int(entry.byteStart)
        for place in 0..<Int(entry.byteCount) where bytes[own + place] != word[start + place] {
            return false
        }
        return true
    }

    mutating func insert(
        _ word: [UInt8], _ range: Range<Int>, _ hash: UInt32, style: Int,
        _ packed: ArraySlice<PackedCluster>, _ extent: WordExtent
    ) {
        guard packed.count <= 0xFF, range.count <= 0xFF else { return }
        if (entries.count + 1) * 4 > slots.count * 3 { grow() }
        entries.append(
            Entry(
                hash: hash, byteStart: UInt32(bytes.count), clusterStart: UInt32(clusters.count),
                above: extent.above, below: extent.below, style: UInt16(style),
                byteCount: UInt8(range.count), clusterCount: UInt8(packed.count)))
        bytes.append(contentsOf: word[range])
        clusters.append(contentsOf: packed)
        place(entries.count)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: max(64, slots.count * 2))
        for number in 0..<entries.count { place(number + 1) }
    }

    private mutating func place(_ number: Int) {
        let mask = slots.count - 1
        let entry = entries[number - 1]
        var slot = Self.place(entry.hash, Int(entry.style)) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(number)
    }

    private static func place(_ hash: UInt32, _ style: Int) -> Int {
        let mixed = (hash ^ UInt32(truncatingIfNeeded: style) &* 0x9E37_79B1) &* 0x85EB_CA6B
        return Int(mixed ^ mixed >> 15)
    }
}
