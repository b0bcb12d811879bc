/// The direction of a paragraph by its first strong character (UAX #9, rules P2 and P3).
enum BaseDirection {
    /// The direction, or nil where nothing strong stands outside isolates.
    ///
    /// - Complexity: linear in the range.
    static func find(in bytes: [UInt8], range: Range<Int>) -> TextDirection? {
        let characters = CharacterTables.shared
        var depth = 0
        var place = range.lowerBound
        while place < range.upperBound {
            switch characters.properties(of: TextAnalysis.decode(bytes, &place)).direction {
            case .left where depth == 0: return .leftToRight
            case .right where depth == 0: return .rightToLeft
            case .isolate: depth += 1
            case .popIsolate: depth = max(0, depth - 1)
            case .left, .right, .neutral, .reordered: break
            }
        }
        return nil
    }
}
