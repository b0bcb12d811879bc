import Foundation

/// The program: reads the options, runs the suites, and tells whether the promises hold.
enum BenchmarkProgram {
    static func run(suites: [Suite]) async -> Never {
        var words = Array(CommandLine.arguments.dropFirst())
        if words.contains("--help") {
            print(help(suites))
            exit(0)
        }
        let asJSON = words.contains("--json")
        words.removeAll { $0 == "--json" }
        let chosen = choose(from: suites, &words)
        let report = Report(asJSON: asJSON)
        for suite in chosen {
            report.begin(suite)
            do {
                try await suite.run(report)
            } catch {
                fail("\(suite.name) could not be measured: \(error)", status: 1)
            }
        }
        report.finish()
        exit(report.holds ? 0 : 1)
    }

    private static func choose(from suites: [Suite], _ words: inout [String]) -> [Suite] {
        var chosen: [Suite] = []
        while let word = words.first {
            guard word == "--only" else {
                fail("unknown argument '\(word)'; try --help", status: 2)
            }
            guard words.count > 1, let suite = suites.first(where: { $0.name == words[1] }) else {
                let names = suites.map(\.name).joined(separator: ", ")
                fail("--only takes one of: \(names)", status: 2)
            }
            chosen.append(suite)
            words.removeFirst(2)
        }
        return chosen.isEmpty ? suites : chosen
    }

    private static func help(_ suites: [Suite]) -> String {
        let rows = suites.map { "  \($0.name): \($0.summary)" }
        return """
            usage: RejoinBenchmarks [--only SUITE]... [--json]

            Prints medians, and ratios to peers measured in the same run; progress goes to standard
            error. Exit status 1 if a promise that could be checked does not hold.

            \(rows.joined(separator: "\n"))
            """
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("RejoinBenchmarks: \(text)\n".utf8))
        exit(status)
    }
}
