/// Finds addresses of pages in plain text: the standard answer to what is special in a message,
/// for hosts that do not know better.
public enum LinkFinder {
    private static let starts = ["https://", "http://", "www."].map { Array($0.utf8) }

    /// The text with its addresses as links.
    ///
    /// An address begins with `http://`, `https://` or `www.` where no letter or digit stands
    /// before, and reaches to the next white space, quotation mark or angle bracket; punctuation at
    /// its end belongs to the sentence, and so does a closing bracket that the address did not
    /// open.
    ///
    /// - Complexity: linear in the text.
    public static func richText(_ text: String) -> RichText {
        let bytes = Array(text.utf8)
        var spans: [TextSpan] = []
        var place = 0
        while place < bytes.count {
            guard let start = starts.first(where: { begins(bytes, at: place, with: $0) }),
                place == 0 || !isWord(bytes[place - 1])
            else {
                place += 1
                continue
            }
            var end = place + start.count
            while end < bytes.count, !endsAddress(bytes[end]) { end += 1 }
            let stop = end
            while end > place + start.count, isTail(bytes, place, end) { end -= 1 }
            if end > place + start.count {
                let address = String(decoding: bytes[place..<end], as: UTF8.self)
                spans.append(
                    TextSpan(
                        range: place..<end,
                        kind: .link(start[0] == UInt8(ascii: "w") ? "https://" + address : address))
                )
            }
            place = stop
        }
        return RichText(text, spans: spans)
    }

    private static func begins(_ bytes: [UInt8], at place: Int, with start: [UInt8]) -> Bool {
        guard place + start.count <= bytes.count else { return false }
        for (offset, byte) in start.enumerated() {
            let found = bytes[place + offset]
            guard found == byte || (isLetter(found) && found | 0x20 == byte) else { return false }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte)
    }

    /// White space, controls and what never stands in an address.
    private static func endsAddress(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "`")
    }

    /// Whether the last byte belongs to the sentence.
    private static func isTail(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        let last = bytes[end - 1]
        let brackets: [UInt8: UInt8] = [0x29: 0x28, 0x5D: 0x5B, 0x7D: 0x7B]
        if let open = brackets[last] {
            // Within an address brackets are few; the search is bounded so that a line of them
            // costs linear time.
            let window = bytes[max(start, end - 256)..<end]
            return window.count { $0 == last } > window.count { $0 == open }
        }
        return [0x2E, 0x2C, 0x3B, 0x3A, 0x21, 0x3F, 0x27, 0x2A, 0x5F].contains(last)
    }
}
