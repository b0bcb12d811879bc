/// The words after a subcommand. Options are taken out by name; what is left over at the end is an
/// error, so a mistyped option never passes in silence.
struct Arguments {
    /// A word, and what was attached to it, as in `--port=80`.
    private struct Word {
        let text: String
        let attached: String?
    }

    private var words: [Word]

    init(_ words: [String]) {
        self.words = words.map { word in
            guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
                return Word(text: word, attached: nil)
            }
            return Word(
                text: String(word[..<equals]), attached: String(word[word.index(after: equals)...]))
        }
    }

    /// Takes a flag out; whether it was there.
    mutating func flag(_ name: String) throws(CommandError) -> Bool {
        guard let index = words.firstIndex(where: { $0.text == name }) else { return false }
        if let value = words[index].attached {
            throw .usage(
                "\(name) takes no value; write it alone, or leave it out, instead of "
                    + "'\(name)=\(value)'")
        }
        words.remove(at: index)
        try refuseAnother(name)
        return true
    }

    /// Takes an option and its value out; `nil` where it was not given.
    mutating func option(_ name: String) throws(CommandError) -> String? {
        guard let index = words.firstIndex(where: { $0.text == name }) else { return nil }
        let value = try takeValue(at: index)
        try refuseAnother(name)
        return value
    }

    /// Takes an option that may be given any number of times; its values in order.
    mutating func options(_ name: String) throws(CommandError) -> [String] {
        var values: [String] = []
        while let index = words.firstIndex(where: { $0.text == name }) {
            values.append(try takeValue(at: index))
        }
        return values
    }

    /// Takes an option that is a number within bounds.
    mutating func integer<Number: FixedWidthInteger>(
        _ name: String, in bounds: ClosedRange<Number>
    ) throws(CommandError) -> Number? {
        guard let text = try option(name) else { return nil }
        guard let number = Number(text), bounds.contains(number) else {
            throw .usage(
                "\(name) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound), "
                    + "not '\(text)'")
        }
        return number
    }

    /// Takes the option at a place out, with its value: what is attached, or the next word, unless
    /// that is an option too.
    private mutating func takeValue(at index: Int) throws(CommandError) -> String {
        let word = words.remove(at: index)
        if let value = word.attached { return value }
        guard index < words.count, !words[index].text.hasPrefix("--") else {
            throw .usage("\(word.text) needs a value after it")
        }
        return words.remove(at: index).text
    }

    private func refuseAnother(_ name: String) throws(CommandError) {
        guard !words.contains(where: { $0.text == name }) else {
            throw .usage("\(name) is given twice; give it once")
        }
    }

    /// Takes the next plain word out.
    mutating func word() -> String? {
        guard let index = words.firstIndex(where: { !$0.text.hasPrefix("-") }) else { return nil }
        return words.remove(at: index).text
    }

    /// Throws unless everything was taken.
    func finish() throws(CommandError) {
        guard let word = words.first else { return }
        throw .usage("unknown argument '\(word.text)'; --help shows what there is")
    }
}
