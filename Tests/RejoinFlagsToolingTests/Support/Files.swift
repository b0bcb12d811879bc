import Foundation
import RejoinFlags
import RejoinFlagsTooling
import RejoinJSON
import Testing

/// Reads a flags file that a test writes out.
func source(_ text: String) throws -> FlagSource {
    try FlagSource(path: "chat.flagd.json", bytes: ContiguousArray(text.utf8))
}

/// A file with one flag `f` with the variants `a` and `b`, and members of the test's choice; `mark`
/// stands before its key.
func oneFlag(
    _ members: String, variants: String = #"{"a":"a","b":"b"}"#, mark: String = ""
) -> String {
    #"{"flags":{\#(mark)"f":{"state":"ENABLED","variants":\#(variants),"defaultVariant":"b",\#(members)}}}"#
}

/// What a test of a finding asks for: severity and code.
func summary(_ findings: [FlagDiagnostic]) -> [String] {
    findings.map { "\($0.severity.rawValue) \($0.code.rawValue)" }
}

/// A file in which `›` marks the place of the finding that a test expects.
struct MarkedFile {
    let source: FlagSource
    private let offset: Int?

    init(_ text: String) throws {
        let parts = text.components(separatedBy: "›")
        source = try RejoinFlagsToolingTests.source(parts.joined())
        offset = parts.count > 1 ? parts[0].utf8.count : nil
    }

    /// What is not as expected: the finding's severity and code, at the mark.
    func surprise(_ findings: [FlagDiagnostic], expected: String?) -> String? {
        let isRight =
            summary(findings) == [expected].compactMap(\.self)
            && findings.allSatisfy { $0.location == location }
        return isRight ? nil : "\(findings)"
    }

    /// The place that is marked.
    var location: JSONLocation? { offset.map { JSONLocation(offset: $0, in: source.bytes) } }
}

/// A world of some files, on a fixed day.
func world(_ files: [String: String]) -> ToolWorld {
    ToolWorld(today: CalendarDay("2026-11-30"), now: 1_796_000_000) { path in
        guard let text = files[path] else {
            return .failure(FlagFileError(.missing, "there is no such file"))
        }
        return .success(ContiguousArray(text.utf8))
    }
}

extension FlagSet {
    /// The variants that users get.
    func variants(of flag: String, users: Range<Int>) -> [String?] {
        users.map { number in
            let context = FlagContext(targetingKey: "user-\(number)", timestamp: 1_796_000_000)
            return evaluate(flag, as: .string, default: "", for: context).variant
        }
    }
}
