extension String {
    /// The text as diagnostics may show it: what would begin a new line, move the cursor, hide or
    /// reorder what follows is written as `\u{202E}` instead. So keys, paths and texts of others
    /// cannot forge a finding or a log line.
    ///
    /// Escaped are control characters, line and paragraph separators, and format characters
    /// (Unicode general categories Cc, Zl, Zp and Cf) but for the two joiners, which words and
    /// emoji need.
    ///
    /// - Complexity: O(length of the text).
    package var printable: String {
        guard unicodeScalars.contains(where: \.isTreacherous) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isTreacherous {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isTreacherous: Bool {
        // Nearly all text is printable ASCII, which needs no look at the tables.
        if value >= 0x20, value < 0x7F { return false }
        let (nonJoiner, joiner): (UInt32, UInt32) = (0x200C, 0x200D)
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != nonJoiner && value != joiner
        default: false
        }
    }
}
