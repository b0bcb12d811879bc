/// The words after a command. Each option is taken out by name; what is left over at the end is an
/// error, so that a mistyped option never passes in silence.
struct ToolArguments {
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

    /// Takes an option out; its values, in order.
    mutating func options(_ name: String) throws(UsageError) -> [String] {
        var values: [String] = []
        while let index = words.firstIndex(of: name) {
            guard index + 1 < words.count, !words[index + 1].hasPrefix("--") else {
                throw UsageError(message: "\(name) needs a value after it")
            }
            values.append(words[index + 1])
            words.removeSubrange(index...index + 1)
        }
        return values
    }

    /// Takes an option out that is given at most once.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        let values = try options(name)
        guard values.count < 2 else { throw UsageError(message: "\(name) is given twice") }
        return values.first
    }

    /// Takes an option out that must be given.
    mutating func required(_ name: String) throws(UsageError) -> String {
        guard let value = try option(name) else {
            throw UsageError(message: "\(name) is missing")
        }
        return value
    }

    /// Takes out all options that are left, each with its value, in order.
    mutating func remainingOptions() throws(UsageError) -> [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        while let word = words.first, word.hasPrefix("--") {
            guard let value = try option(word) else { break }
            options.append((String(word.dropFirst(2)), value))
        }
        return options
    }

    /// Throws unless everything was taken.
    func finish() throws(UsageError) {
        guard let word = words.first else { return }
        throw UsageError(message: "unknown argument '\(word)'; --help shows what there is")
    }
}
