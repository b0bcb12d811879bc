import Foundation
import RejoinFlags
import RejoinJSON

/// `rejoin flags explain`.
struct FlagsExplainCommand {
    private let path: String
    private let set: FlagSet
    private let flag: String
    private let kind: FlagKind?
    private let context: FlagContext
    private let asJSON: Bool

    init(_ arguments: inout Arguments) throws(CommandError) {
        path = try FlagsCommand.required("--file", "F", &arguments)
        flag = try FlagsCommand.required("--flag", "K", &arguments)
        kind = try FlagsCommand.kind(&arguments)
        let user = try arguments.option("--user")
        let seconds = try arguments.integer("--at", in: 0...Int64(1) << 53)
        var attributes = FlagObject()
        if let text = try arguments.option("--context") {
            guard case .object(let object) = try FlagsCommand.json(text, of: "--context") else {
                throw .usage("--context must be a JSON object, not '\(text)'")
            }
            attributes = object
        }
        context = FlagContext(
            targetingKey: user, attributes: attributes,
            timestamp: seconds ?? FlagContext.secondsNow())
        asJSON = try arguments.flag("--json")
        try arguments.finish()
        set = try FlagsCommand.load(path)
    }

    /// Prints the decision; exit status 1 where there is none.
    func run() throws -> Int32 {
        let definition = set[flag]
        let kind = kind ?? definition?.variants.first?.value.kind ?? .boolean
        let (evaluation, steps) = set.explain(
            flag, as: kind, default: kind.neutral, for: context)
        if asJSON {
            try StandardStreams.write(json(evaluation, steps))
        } else {
            let lines = people(definition, evaluation, steps).map(\.printable)
            try StandardStreams.write(ContiguousArray((lines + [""]).joined(separator: "\n").utf8))
        }
        return evaluation.reason == .error ? 1 : 0
    }

    private func people(
        _ definition: FlagDefinition?, _ evaluation: FlagEvaluation<FlagValue>, _ steps: [FlagStep]
    ) -> [String] {
        var lines: [String] = []
        if let fault = definition?.fault {
            // Of a definition at fault nothing counts, so that nothing of it is shown.
            lines.append("flag \(flag): quarantined, the others work")
            lines.append("  \(path):\(fault)")
        } else if let definition {
            let variants = definition.variants.map { "\($0.name) = \($0.value)" }
            let fallback = definition.defaultVariant.map { definition.variants[$0].name }
            lines.append("flag \(flag): \(definition.state.rawValue)")
            lines.append("  variants: \(variants.joined(separator: ", "))")
            lines.append("  default variant: \(fallback ?? "none, so the code's default")")
        }
        lines.append("context: targetingKey \(context.targetingKey.map { "\"\($0)\"" } ?? "none")")
        for member in context.attributes.members {
            lines.append("  \(member.key): \(member.value)")
        }
        if steps.isEmpty {
            lines.append("targeting: not run")
        } else {
            lines.append("targeting:")
            for step in steps {
                let indent = String(repeating: "  ", count: step.depth + 1)
                lines.append("\(indent)\(step.what)  =>  \(step.result)")
            }
        }
        let value = evaluation.variant == nil ? "the code's default" : "\(evaluation.value)"
        let variant = evaluation.variant.map { " (variant \($0))" } ?? ""
        lines.append("result: \(value)\(variant), \(evaluation.reason.rawValue)")
        if let code = evaluation.errorCode, let message = evaluation.message {
            lines.append("  \(code.rawValue): \(message)")
        }
        return lines
    }

    private func json(_ evaluation: FlagEvaluation<FlagValue>, _ steps: [FlagStep])
        -> ContiguousArray<UInt8>
    {
        var json = JSONWriter()
        json.beginObject()
        json.member("flag", flag)
        json.key("value")
        json.value(evaluation.variant == nil ? .null : evaluation.value)
        json.key("variant")
        json.value(evaluation.variant.map(FlagValue.string) ?? .null)
        json.member("reason", evaluation.reason.rawValue)
        json.member("errorCode", evaluation.errorCode?.rawValue)
        json.member("message", evaluation.message)
        json.key("metadata")
        json.value(.object(evaluation.metadata))
        json.key("steps")
        json.beginArray()
        for step in steps {
            json.beginObject()
            json.member("depth", step.depth)
            json.member("what", step.what)
            json.member("result", step.result)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension FlagKind {
    /// A value to stand for a code default that nobody has named.
    fileprivate var neutral: FlagValue {
        switch self {
        case .boolean: .bool(false)
        case .string: .string("")
        case .integer: .integer(0)
        case .double: .double(0)
        case .object: .object([:])
        }
    }
}
