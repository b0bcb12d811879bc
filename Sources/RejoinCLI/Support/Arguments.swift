/// The words after a subcommand. Options are taken out by name; what is left over at the end is an
/// error, so a mistyped option never passes in silence.
struct Arguments {
    private var words: [String]

    init(_ words: [String]) {
        self.words = words.flatMap { word -> [String] in
            guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
            return [String(word[..<equals]), String(word[word.index(after: equals)...])]
        }
    }

    /// Takes a flag out; whether it was there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words.remove(at: index)
        return true
    }

    /// Takes an option and its value out; `nil` where it was not given.
    mutating func option(_ name: String) throws(CommandError) -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        let value = try self.value(after: index)
        words.removeSubrange(index...index + 1)
        guard !words.contains(name) else { throw .usage("\(name) is given twice") }
        return value
    }

    /// Takes an option that may be given any number of times; its values in order.
    mutating func options(_ name: String) throws(CommandError) -> [String] {
        var values: [String] = []
        while let index = words.firstIndex(of: name) {
            values.append(try value(after: index))
            words.removeSubrange(index...index + 1)
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

    /// The value of the option at a place: the next word, unless that is an option too.
    private func value(after index: Int) throws(CommandError) -> String {
        guard index + 1 < words.count, !words[index + 1].hasPrefix("--") else {
            throw .usage("\(words[index]) needs a value after it")
        }
        return words[index + 1]
    }

    /// Takes the next plain word out.
    mutating func word() -> String? {
        guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else { return nil }
        return words.remove(at: index)
    }

    /// Throws unless everything was taken.
    func finish() throws(CommandError) {
        guard let word = words.first else { return }
        throw .usage("unknown argument '\(word)'; --help shows what there is")
    }
}
