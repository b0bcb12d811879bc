import Foundation
import RejoinFlags
import RejoinJSON
import Testing

/// The answers of flagd's Python evaluator, `openfeature-flagd-core` 1.0.0 (bucketing v2), to a
/// file and 1,000 contexts of our own.
@Suite("Oracle of flagd's evaluator")
struct OracleTests {
    @Test("all 21,000 evaluations are answered alike")
    func evaluations() throws {
        let flags = try FlagSet(try Vectors.bytes("sample-flags.json"))
        #expect(flags.diagnostics.filter { $0.severity == .error }.isEmpty)
        let lines = try Vectors.compressedLines("results-v2.jsonl.gz").dropFirst()
        #expect(lines.count == 21_000)
        var different = 0
        for line in lines {
            let row = try Row(line)
            let answer = flags.evaluate(
                row.flag, as: row.kind, default: row.codeDefault, for: row.context)
            guard
                answer.value == row.value, answer.variant == row.variant,
                answer.reason.rawValue == row.reason,
                answer.errorCode?.rawValue == row.errorCode
            else {
                different += 1
                if different < 10 {
                    Issue.record("\(String(decoding: line, as: UTF8.self)) but \(answer)")
                }
                continue
            }
        }
        #expect(different == 0)
    }

    @Test("1,000 keys fall into the oracle's buckets of 100, seen through ramps of every percent")
    func buckets() throws {
        let table = String(decoding: try Vectors.bytes("hash-vectors.csv"), as: UTF8.self)
        let rows = table.split(separator: "\n").dropFirst()
        #expect(rows.count == 1_000)
        let flags = try flagSet(Self.percentages)
        for row in rows {
            // Keys hold no comma; bytes, because two keys differ in their normal form alone.
            let columns = row.utf8.split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let key = String(decoding: columns[0], as: UTF8.self)
            let bucket = try #require(Int(String(decoding: columns[3], as: UTF8.self)))
            for (percent, isIn) in [(bucket, false), (bucket + 1, true)] {
                let answer = flags.evaluate("ramp.\(percent)", default: !isIn, for: context(key))
                #expect(answer.value == isIn, "\(key) at \(percent) %")
            }
            let told = flags.explain(
                "ramp.50", as: .boolean, default: false, for: context(key))
            let hash = String(decoding: columns[2], as: UTF8.self)
            #expect(told.steps.contains { $0.what.hasPrefix("hash \(hash) ") }, "\(key)")
        }
    }

    private static let percentages: String = {
        let flags = (0...100).map { percent in
            #""ramp.\#(percent)":{"state":"ENABLED","variants":{"on":true,"off":false},"#
                + #""defaultVariant":"off","targeting":{"fractional":[{"cat":["ramp-seed","#
                + #"{"var":"targetingKey"}]},["on",\#(percent)],["off",\#(100 - percent)]]}}"#
        }
        return #"{"flags":{\#(flags.joined(separator: ","))}}"#
    }()
}

/// One line of the oracle's answers.
private struct Row {
    let flag: String
    let kind: FlagKind
    let context: FlagContext
    let value: FlagValue
    let variant: String?
    let reason: String
    let errorCode: String?

    init(_ line: ContiguousArray<UInt8>) throws {
        guard case .object(let row) = try JSONDocument(line).root.kind,
            let object = FlagObject(row), case .object(let attributes)? = object["context"]
        else { throw Malformed() }
        func text(_ key: String) throws -> String {
            guard case .string(let text)? = object[key] else { throw Malformed() }
            return text
        }
        flag = try text("flag")
        // The oracle's `float` is our `double`.
        let type = try text("type")
        kind = try #require(FlagKind(rawValue: type == "float" ? "double" : type))
        self.context = FlagContext(
            targetingKey: try text("targetingKey"), attributes: attributes, timestamp: 0)
        value = object["value"] ?? .null
        if case .string(let name)? = object["variant"] { variant = name } else { variant = nil }
        reason = try text("reason")
        if case .string(let code)? = object["errorCode"] {
            errorCode = code
        } else {
            errorCode = nil
        }
    }

    var codeDefault: FlagValue {
        switch kind {
        case .boolean: false
        case .string: "CODE_DEFAULT"
        case .integer: -1
        case .double: -1.0
        case .object: .object([:])
        }
    }

    struct Malformed: Error {}
}
