import Foundation
import RejoinContracts
import RejoinFlags
import RejoinJSON
import Testing

/// Where flagd's Python evaluator and we differ on purpose (flags.md names the reasons). A row is
/// excused by one of these only where the evaluation came by the spot.
private enum KnownDifference: String {
    /// 10.0 is the integer 10: lossless, by flagd's decision on numeric coercion.
    case integralDouble
    /// A weight of 10.0 is 10, as in Go (trap 15).
    case integralWeight
    /// Python does not compute the start of `reduce` (section 2, "oracle limits").
    case reduceStart
    /// Python's `True` is the integer 1: `true` is found in `[1]`, is `=== 1`, is written "True",
    /// and is the double 1.0 (trap 19).
    case booleanIsNumber
    /// Python's whole numbers have no end; ours become doubles at 2^63.
    case largeNumber
    /// Python raises something, such as on a division by zero; we answer.
    case raised
    /// Python compares arrays by identity; ours have none.
    case identity
    /// Python's `reduce` can put its own data into itself, without end.
    case cycle
}

/// Random flags files and contexts against `openfeature-flagd-core` 1.0.0.
///
/// `Scripts/test.sh` makes the answers afresh, with a seed of the day that it prints, and names
/// their file in `REJOIN_FLAGS_ORACLE`.
@Suite("Differential test against flagd's evaluator")
struct DifferentialTests {
    private static let answers = ProcessInfo.processInfo.environment["REJOIN_FLAGS_ORACLE"]

    @Test("Random files are answered alike", .enabled(if: answers != nil))
    func random() throws {
        let path = try #require(Self.answers)
        let data = try Data(contentsOf: URL(filePath: path))
        var flags = FlagSet.empty
        var text = ""
        var compared = 0
        var excused: [String: Int] = [:]
        var different = 0
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard case .object(let row)? = FlagValue(try JSONDocument(ContiguousArray(line)).root)
            else { continue }
            if case .string(let file)? = row["file"] {
                text = file
                flags = try flagSet(file)
                continue
            }
            compared += 1
            guard let difference = try difference(row, flags) else { continue }
            if let excuse = excuse(row) {
                excused[excuse.rawValue, default: 0] += 1
                continue
            }
            different += 1
            guard different <= 5 else { continue }
            Issue.record("\(difference)\n\(String(decoding: line, as: UTF8.self))\n\(text)")
        }
        #expect(compared > 1_000, "the generator wrote too little")
        #expect(different == 0)
        #expect(excused.values.reduce(0, +) * 10 < compared, "too many are excused: \(excused)")
    }

    private func difference(_ row: FlagObject, _ flags: FlagSet) throws -> String? {
        guard case .string(let flag)? = row["flag"], case .string(let type)? = row["type"],
            case .object(let attributes)? = row["context"]
        else { return "malformed row" }
        let kind = try #require(FlagKind(rawValue: type == "float" ? "double" : type))
        var user: String?
        if case .string(let key)? = row["targetingKey"] { user = key }
        let (answer, steps) = flags.explain(
            flag, as: kind, default: kind.codeDefault,
            for: FlagContext(targetingKey: user, attributes: attributes, timestamp: 0))
        let told: FlagObject = [
            "value": answer.value, "variant": answer.variant.map(FlagValue.string) ?? .null,
            "reason": .string(answer.reason.rawValue),
            "errorCode": (answer.errorCode?.rawValue).map(FlagValue.string) ?? .null,
        ]
        for member in told.members where member.value != row[member.key] ?? .null {
            return "\(member.key): \(member.value)"
        }
        // What the targeting itself gave, to the last digit.
        if let raw = row["raw"], let step = steps.first, !step.result.hasPrefix("error"),
            step.result != raw.description
        {
            return "targeting: \(step.result)"
        }
        return nil
    }

    /// The known difference that the evaluation came by; `nil` where there is none.
    private func excuse(_ row: FlagObject) -> KnownDifference? {
        guard case .array(let touched)? = row["touched"] else { return nil }
        return touched.lazy.compactMap { name -> KnownDifference? in
            guard case .string(let name) = name else { return nil }
            return KnownDifference(rawValue: name)
        }.first
    }
}
