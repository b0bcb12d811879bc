import RejoinContracts
import RejoinFlags
import Testing

@Suite("Contract of flag evaluators (flagd, OpenFeature)")
struct FlagsContractTests {
    @Test("the evaluator keeps it", arguments: checks.map(\.id))
    func evaluator(id: String) async throws {
        for check in checks where check.id == id { try await check.run() }
    }
}

private let checks = flagEvaluatorChecks { file, flag, kind, codeDefault, context in
    let answer = try FlagSet(ContiguousArray(file.utf8))
        .evaluate(flag, as: kind, default: codeDefault, for: context)
    return FlagAnswer(
        value: answer.value, variant: answer.variant, reason: answer.reason.rawValue,
        errorCode: answer.errorCode?.rawValue)
}
