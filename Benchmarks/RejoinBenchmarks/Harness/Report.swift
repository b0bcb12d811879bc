import Foundation
import RejoinJSON

/// Collects figures; prints them as they come, or all at the end as one JSON object.
final class Report {
    private let asJSON: Bool
    private var suite = ""
    private var figures: [(suite: String, figure: Figure)] = []

    init(asJSON: Bool) {
        self.asJSON = asJSON
    }

    /// Whether each promise that could be checked holds.
    var holds: Bool { figures.allSatisfy(\.figure.holds) }

    func begin(_ suite: Suite) {
        self.suite = suite.name
        if !asJSON { write("\(suite.name): \(suite.summary)") }
    }

    /// Takes a figure.
    func add(_ figure: Figure) {
        figures.append((suite, figure))
        guard !asJSON else { return }
        write("  \(pad(figure.name, 34))\(rounded(figure.value)) \(figure.unit)\(verdict(figure))")
        for comparison in figure.comparisons {
            write("    \(describe(comparison, unit: figure.unit))")
        }
    }

    /// Tells on standard error what is going on; figures alone go to standard output.
    func progress(_ text: String) {
        FileHandle.standardError.write(Data("[\(suite)] \(text)\n".utf8))
    }

    /// Prints what `--json` promises.
    func finish() {
        guard asJSON else { return }
        var json = JSONWriter()
        json.beginObject()
        json.key("figures")
        json.beginArray()
        for (suite, figure) in figures { encode(suite, figure, to: &json) }
        json.endArray()
        json.member("holds", holds)
        json.endObject()
        write(String(decoding: json.bytes, as: UTF8.self))
    }

    /// Writes a line at once: with `print`, a run that is cut short would lose what it measured.
    private func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private func verdict(_ figure: Figure) -> String {
        switch figure.bound {
        case .atMost(let most):
            "  (at most \(rounded(most)): \(figure.value <= most ? "yes" : "NO"))"
        case .atLeast(let least):
            "  (at least \(rounded(least)): \(figure.value >= least ? "yes" : "NO"))"
        case nil: ""
        }
    }

    private func describe(_ comparison: Figure.Comparison, unit: String) -> String {
        guard let value = comparison.value, let ratio = comparison.ratio else {
            return "\(comparison.peer) is not installed: Benchmarks/Peers/setup.sh"
        }
        let promise = comparison.promised.map { promised in
            ", promised \(rounded(promised)): \(ratio >= promised ? "yes" : "NO")"
        }
        return "\(pad(comparison.peer, 32))\(rounded(value)) \(unit)  (\(rounded(ratio)) times"
            + "\(promise ?? ""))"
    }

    private func encode(_ suite: String, _ figure: Figure, to json: inout JSONWriter) {
        json.beginObject()
        json.member("suite", suite)
        json.member("name", figure.name)
        json.key("value")
        json.raw(rounded(figure.value))
        json.member("unit", figure.unit)
        json.key("peers")
        json.beginArray()
        for comparison in figure.comparisons {
            json.beginObject()
            json.member("peer", comparison.peer)
            for (name, value) in [
                ("value", comparison.value), ("ratio", comparison.ratio),
                ("promised", comparison.promised),
            ] {
                guard let value else { continue }
                json.key(name)
                json.raw(rounded(value))
            }
            json.endObject()
        }
        json.endArray()
        json.member("holds", figure.holds)
        json.endObject()
    }

    /// Four significant digits, no exponent: a figure for people that is a JSON number too.
    private func rounded(_ value: Double) -> String {
        let digits = value == 0 ? 0 : Int(log10(abs(value)).rounded(.down))
        return String(format: "%.\(max(0, 3 - digits))f", value)
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
