extension String {
    /// Whether it shows anything: a name, an emoji or a text without a visible character would be
    /// an empty shape.
    ///
    /// - Complexity: as a rule the first character tells.
    var isShown: Bool { unicodeScalars.contains { $0.isShown } }

    /// Its first character that shows, as the initial of a name.
    var firstShown: Character? { first { $0.unicodeScalars.contains { $0.isShown } } }
}

extension Unicode.Scalar {
    /// Whether it may leave ink on its own.
    fileprivate var isShown: Bool {
        if value < 0x7F { return value > 0x20 }
        let properties = properties
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return false
        // Braille's pattern without dots is blank.
        default: return value != 0x2800
        }
    }
}
