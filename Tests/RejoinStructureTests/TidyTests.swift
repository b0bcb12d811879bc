import Foundation
import Testing

/// The house rules that a compiler does not check (CONTRIBUTING, "The bar"), checked by a test so
/// that no reviewer has to.
@Suite("House rules")
struct TidyTests {
    /// Words that need a reason in a comment on the same line or the three lines before it.
    static let needReason = [
        "@unchecked Sendable", "nonisolated(unsafe)", "try!", "fatalError(", "Unmanaged.",
        "UnsafeMutable",
    ]

    /// Words that may not stand in the sources at all. Sleeping on the continuous clock is left to
    /// `SystemTime`, which knows why.
    static let banned = [
        "Task.detached", "TODO", "FIXME", "@testable", "Task.sleep", "ContinuousClock().sleep",
        "XCTest",
    ]

    /// The cores: what the simulator runs. No clock, task, randomness or log of their own.
    static let cores = [
        "RejoinModel", "RejoinSync", "RejoinReadState", "RejoinPipeline", "RejoinLegacyPipeline",
        "RejoinTransport/Codec", "RejoinTransport/Session",
    ]
    static let bannedInCores = [
        "Date()", "UUID()", "SystemRandomNumberGenerator", "Task {", "await ", "Mutex",
        "ContinuousClock", "Logger", "print(",
    ]

    @Test("Banned words do not occur")
    func bannedWords() throws {
        for (path, lines) in try sources("Sources") {
            for (number, line) in lines.enumerated()
            where !line.isComment && !path.hasSuffix("SystemTime.swift") {
                for word in Self.banned where line.contains(word) {
                    Issue.record("\(path):\(number + 1): '\(word)'")
                }
            }
        }
    }

    @Test("Cores have no time, randomness or concurrency of their own (DESIGN section 2)")
    func pureCores() throws {
        for core in Self.cores {
            for (path, lines) in try sources("Sources/\(core)") {
                for (number, line) in lines.enumerated() where !line.isComment {
                    for word in Self.bannedInCores where line.contains(word) {
                        Issue.record("\(path):\(number + 1): '\(word)' in a core")
                    }
                }
            }
        }
    }

    @Test("Unsafe constructs carry their reason")
    func reasons() throws {
        for (path, lines) in try sources("Sources") {
            for (number, line) in lines.enumerated() where !line.isComment {
                for word in Self.needReason where line.contains(word) {
                    let near = lines[max(0, number - 20)...number]
                    #expect(
                        near.contains { $0.contains("//") },
                        "\(path):\(number + 1): '\(word)' needs a comment that gives the reason")
                }
            }
        }
    }

    /// No target may import both, so the names stand twice.
    @Test("The linter of flags files knows the thresholds that a rollout guard reads")
    func guardThresholds() throws {
        func names(_ file: String) throws -> Set<Substring> {
            let url = PackageDescription.root.appending(path: "Sources/\(file)")
            let text = try String(contentsOf: url, encoding: .utf8)
            return Set(text.matches(of: /"(guard[A-Z]\w+)"/).map(\.output.1))
        }
        let read = try names("RejoinKit/Rollout/GuardPolicy+Flags.swift")
        #expect(!read.isEmpty)
        #expect(try read == names("RejoinFlagsTooling/Lint/FlagLint.swift"))
    }

    @Test("Lines are at most 100 columns wide")
    func lineWidth() throws {
        for (path, lines) in try sources("Sources") {
            for (number, line) in lines.enumerated() where line.count > 100 && !line.contains("\"")
            {
                Issue.record("\(path):\(number + 1): \(line.count) columns")
            }
        }
    }

    private func sources(_ folder: String) throws -> [(path: String, lines: [String])] {
        let root = PackageDescription.root
        let base = root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: base.path))
        return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
            .map { file in
                let text = try String(contentsOf: base.appending(path: file), encoding: .utf8)
                return ("\(folder)/\(file)", text.components(separatedBy: "\n"))
            }
    }
}

extension String {
    fileprivate var isComment: Bool {
        trimmingCharacters(in: .whitespaces).hasPrefix("//")
    }
}
