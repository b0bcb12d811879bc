/// A part of a row laid out by itself: its pieces around (0, 0), read from the left.
struct PartLayout: Sendable {
    /// How it stands in a bubble.
    enum Fit: Sendable {
        /// As text, inset from the bubble's sides.
        case text
        /// Close to the bubble's sides; as wide as the bubble turns out.
        case stretched
        /// Close to the bubble's sides; the bubble is as wide as it asks.
        case flush
    }

    /// What is read of a piece.
    struct Spoken: Sendable {
        var piece: Int
        var role: AccessibilityElement.Role
        var label: String
    }

    var fit: Fit
    var size: PixelSize
    /// From back to front; their parents are numbers of pieces.
    var pieces: [LayoutPart] = []
    var spoken: [Spoken] = []

    /// Adds a piece.
    ///
    /// - Returns: its number.
    @discardableResult
    mutating func add(_ piece: LayoutPart) -> Int {
        pieces.append(piece)
        return pieces.count - 1
    }

    /// Says what is read of the piece added last.
    mutating func speak(_ role: AccessibilityElement.Role, _ label: String) {
        spoken.append(Spoken(piece: pieces.count - 1, role: role, label: label))
    }

    /// The text of the message that ends it.
    var closingText: TextLayout? {
        guard let last = pieces.last, last.isBody else { return nil }
        return last.text
    }
}
