/// The breaks of a text as UAX #14 and UAX #29 find them (Unicode 15.0), for tools and tests; the
/// layout itself uses the same tables without building lists.
///
/// Dictionary scripts (class SA) are letters here, as the untailored algorithm has them.
public struct TextBreaks: Hashable, Sendable {
    /// The offsets in UTF-8 before which a line may end, the mandatory ones left out; ascending,
    /// without the start and the end of the text.
    public let allowed: [Int]
    /// The offsets before which a line must end, likewise.
    public let mandatory: [Int]
    /// The offsets at which grapheme clusters begin, likewise.
    public let graphemes: [Int]

    /// Finds the breaks of a text.
    ///
    /// - Parameter hangul: how Korean is broken; by syllable is UAX #14 without tailoring.
    /// - Complexity: linear in the text.
    public init(of text: String, hangul: HangulBreaking = .syllable) {
        var analysis = TextAnalysis()
        analysis.analyze(Array(text.utf8), hangul: hangul)
        var allowed: [Int] = []
        var mandatory: [Int] = []
        var graphemes: [Int] = []
        for (place, marks) in analysis.marks.enumerated().dropFirst() {
            if marks.contains(.mandatory) {
                mandatory.append(place)
            } else if marks.contains(.lineBreak) {
                allowed.append(place)
            }
            if marks.contains(.grapheme) { graphemes.append(place) }
        }
        self.allowed = allowed
        self.mandatory = mandatory
        self.graphemes = graphemes
    }
}
