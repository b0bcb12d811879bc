import RejoinJSON

/// What an evaluation gave (OpenFeature specification, "evaluation details").
public struct FlagEvaluation<Value: Sendable>: Sendable {
    /// The flag's key.
    public let key: String
    /// The value; the code default where the flag has none to give.
    public let value: Value
    /// The name of the variant; `nil` for the code default.
    public let variant: String?
    /// Why.
    public let reason: FlagReason
    /// What is wrong; `nil` unless ``reason`` is ``FlagReason/error``.
    public let errorCode: FlagErrorCode?
    /// What is wrong and what to do, for people; `nil` unless ``reason`` is ``FlagReason/error``.
    public let message: String?
    /// The metadata of the file overlaid by the flag's own; empty for an unknown flag.
    public let metadata: FlagObject

}

extension FlagEvaluation<FlagValue> {
    /// The same evaluation as a Swift type; the code default, with the reason, where the type does
    /// not have the value.
    func typed<Type: FlagType>(default codeDefault: Type) -> FlagEvaluation<Type> {
        guard let typed = Type(value) else {
            return FlagEvaluation<Type>(
                key: key, value: codeDefault, variant: nil, reason: .error,
                errorCode: .typeMismatch,
                message: "the code's type \(Type.self) does not have the value \(value)",
                metadata: metadata)
        }
        return FlagEvaluation<Type>(
            key: key, value: typed, variant: variant, reason: reason, errorCode: errorCode,
            message: message, metadata: metadata)
    }
}

extension FlagEvaluation: Equatable where Value: Equatable {}

extension FlagSet {
    /// Evaluates a flag as one of OpenFeature's types. Never throws, reads no file and takes no
    /// lock.
    ///
    /// - Parameter codeDefault: What the calling code does without flags; given back as it is.
    /// - Complexity: O(nodes of the targeting).
    public func evaluate(
        _ key: String, as kind: FlagKind, default codeDefault: FlagValue, for context: FlagContext
    ) -> FlagEvaluation<FlagValue> {
        evaluate(key, as: kind, default: codeDefault, for: context, trace: nil)
    }

    /// Evaluates a flag as a Swift type; see ``evaluate(_:as:default:for:)``.
    public func evaluate<Value: FlagType>(
        _ key: String, default codeDefault: Value, for context: FlagContext
    ) -> FlagEvaluation<Value> {
        let evaluation = evaluate(
            key, as: Value.kind, default: codeDefault.flagValue, for: context)
        return evaluation.typed(default: codeDefault)
    }

    /// Evaluates a flag and tells how the value came about: the first 1,000 steps.
    ///
    /// - Complexity: O(square of the nodes of the targeting), because each step shows its rule.
    public func explain(
        _ key: String, as kind: FlagKind, default codeDefault: FlagValue, for context: FlagContext
    ) -> (evaluation: FlagEvaluation<FlagValue>, steps: [FlagStep]) {
        let trace = FlagTrace()
        let evaluation = evaluate(
            key, as: kind, default: codeDefault, for: context, trace: trace)
        return (evaluation, trace.steps)
    }

    private func evaluate(
        _ key: String, as kind: FlagKind, default codeDefault: FlagValue,
        for context: FlagContext, trace: FlagTrace?
    ) -> FlagEvaluation<FlagValue> {
        guard let flag = self[key] else {
            return FlagEvaluation(
                key: key, value: codeDefault, variant: nil, reason: .error,
                errorCode: .flagNotFound, message: "no flag '\(key)' in the flags file",
                metadata: [:])
        }
        return flag.evaluate(as: kind, default: codeDefault, for: context, trace: trace)
    }
}

extension FlagDefinition {
    /// Evaluates this flag.
    func evaluate(
        as kind: FlagKind, default codeDefault: FlagValue, for context: FlagContext,
        overriddenBy override: String? = nil, trace: FlagTrace? = nil
    ) -> FlagEvaluation<FlagValue> {
        let (outcome, reason) = decide(for: context, overriddenBy: override, trace: trace)
        switch outcome {
        case .variant(let variant):
            guard let value = kind.convert(variant.value) else {
                return failed(
                    .typeMismatch,
                    "variant '\(variant.name)' is no \(kind.rawValue) without loss", codeDefault)
            }
            return FlagEvaluation(
                key: key, value: value, variant: variant.name, reason: reason, errorCode: nil,
                message: nil, metadata: metadata)
        case .codeDefault:
            return FlagEvaluation(
                key: key, value: codeDefault, variant: nil, reason: reason, errorCode: nil,
                message: nil, metadata: metadata)
        case .failure(let code, let message): return failed(code, message, codeDefault)
        }
    }

    private func failed(_ code: FlagErrorCode, _ message: String, _ codeDefault: FlagValue)
        -> FlagEvaluation<FlagValue>
    {
        FlagEvaluation(
            key: key, value: codeDefault, variant: nil, reason: .error, errorCode: code,
            message: message, metadata: metadata)
    }

    /// What the flag decides, before anyone asks for a type.
    private enum Outcome {
        case variant(Variant)
        case codeDefault
        case failure(FlagErrorCode, String)
    }

    private func decide(
        for context: FlagContext, overriddenBy override: String?, trace: FlagTrace?
    ) -> (Outcome, FlagReason) {
        guard state == .enabled else { return (.codeDefault, .disabled) }
        if let fault {
            return (
                .failure(
                    .parseError,
                    "the flag is quarantined (\(fault.location.line):\(fault.location.column)): "
                        + fault.message), .error
            )
        }
        if let override {
            guard let variant = variant(named: override) else {
                return (
                    .failure(.general, "an override names '\(override)', which is no variant"),
                    .error
                )
            }
            return (.variant(variant), .override)
        }
        guard let targeting else { return (defaultOutcome, staticReason) }
        var evaluator = RuleEvaluator(trace: trace)
        let result: FlagValue
        do throws(RuleEvaluator.Failure) {
            result = try evaluator.evaluate(
                targeting, in: .root(context, flagKey: key))
        } catch {
            return (.failure(error.code, error.message), .error)
        }
        let name: String
        switch result {
        case .null: return (defaultOutcome, .default)
        case .string(let text): name = text
        case .bool, .integer: name = result.text
        case .double(let number): name = number.description
        case .array, .object:
            return (.failure(.general, "the targeting gave no name of a variant"), .error)
        }
        guard let variant = variant(named: name) else {
            return (
                .failure(.general, "the targeting chose '\(name)', which is no variant"), .error
            )
        }
        return (.variant(variant), .targetingMatch)
    }

    /// The default variant, or the code default where the flag names none.
    private var defaultOutcome: Outcome {
        defaultVariant.map { .variant(variants[$0]) } ?? .codeDefault
    }

    /// STATIC says that a variant was given; the code default is DEFAULT.
    private var staticReason: FlagReason { defaultVariant == nil ? .default : .static }
}
