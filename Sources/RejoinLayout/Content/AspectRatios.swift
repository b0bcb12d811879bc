/// Width by height of pictures whose message does not tell them, by address: remembered once they
/// were loaded, so that the second sight of a picture has its place from the beginning.
///
/// Bounded: where it is full, the ratio learnt first is forgotten.
public struct AspectRatios: Sendable {
    /// The most ratios that are remembered.
    public let limit: Int
    private var known: [String: Double] = [:]
    private var order: [String] = []
    /// The place in `order` of the ratio learnt first.
    private var oldest = 0

    /// Creates an empty memory.
    public init(limit: Int = 4_000) { self.limit = max(1, limit) }

    /// How many ratios are remembered.
    public var count: Int { known.count }

    /// The ratio of a picture, where it was learnt.
    public subscript(url: String) -> Double? { known[url] }

    /// Learns a ratio from the size of a loaded picture; sizes that are not positive teach nothing.
    ///
    /// - Returns: whether it was not known, so that rows with the picture must be measured again.
    public mutating func learn(_ url: String, width: Int, height: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        let ratio = Double(width) / Double(height)
        guard known[url] != ratio else { return false }
        if known.updateValue(ratio, forKey: url) == nil {
            if order.count < limit {
                order.append(url)
            } else {
                known[order[oldest]] = nil
                order[oldest] = url
                oldest = (oldest + 1) % limit
            }
        }
        return true
    }
}
