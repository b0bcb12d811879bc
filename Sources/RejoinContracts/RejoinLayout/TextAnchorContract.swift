public import RejoinLayout

/// What row data must keep so that the place in a long message survives another width: see
/// ``TextAnchorable``.
public enum TextAnchorContract {
    /// The checks of some data.
    ///
    /// - Parameter widths: the same rows at some widths; each list has the same rows in the same
    ///   order.
    /// - Complexity: running them is O(height of the rows · widths).
    public static func checks<Data: TextAnchorable>(_ widths: [[Data]]) -> [ContractCheck] {
        [
            ContractCheck("text-anchor.round-trip", promise: "section 8") {
                for data in widths.joined() {
                    for y in 0..<data.size.height {
                        guard let position = data.textPosition(at: y) else { continue }
                        let place = data.place(ofTextPosition: position)
                        try require(
                            place.map { $0 <= y && data.textPosition(at: $0) == position } ?? false,
                            "text-anchor.round-trip",
                            expected: "the beginning of the line that holds \(y)",
                            got: "\(place.map(String.init) ?? "nothing") for position \(position)",
                            whoIsHurt: "people who turn the screen in the middle of a long text")
                    }
                }
            },
            ContractCheck("text-anchor.survives-widths", promise: "section 8") {
                for (one, other) in widths.flatMap({ one in widths.map { (one, $0) } }) {
                    for (data, turned) in zip(one, other) {
                        for y in 0..<data.size.height {
                            guard let position = data.textPosition(at: y) else { continue }
                            let place = turned.place(ofTextPosition: position)
                            try require(
                                place.map { (0..<turned.size.height).contains($0) } ?? false,
                                "text-anchor.survives-widths",
                                expected: "a place inside the row for each position of its text",
                                got: "\(place.map(String.init) ?? "nothing") for \(position)",
                                whoIsHurt: "people who turn the screen: the text jumps away")
                        }
                    }
                }
            },
            ContractCheck("text-anchor.ascends", promise: "section 8") {
                for data in widths.joined() {
                    let positions = (0..<data.size.height).compactMap(data.textPosition)
                    try require(
                        zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 },
                        "text-anchor.ascends", expected: "positions that ascend with the place",
                        got: "some that do not",
                        whoIsHurt: "people who turn the screen: they land in another line")
                }
            },
        ]
    }
}
