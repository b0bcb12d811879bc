import Foundation
import RejoinFlags
import RejoinJSON

/// `rejoin flags evaluate`.
struct FlagsEvaluateCommand {
    private let set: FlagSet
    private let flag: String
    private let kind: FlagKind
    private let codeDefault: FlagValue

    /// The longest line, in bytes.
    static let longestLine = 4 << 20

    init(_ arguments: inout Arguments) throws(CommandError) {
        let file = try FlagsCommand.required("--file", "F", &arguments)
        flag = try FlagsCommand.required("--flag", "K", &arguments)
        guard let kind = try FlagsCommand.kind(&arguments) else {
            throw .usage("--type TYPE is missing")
        }
        let text = try FlagsCommand.required("--default", "JSON", &arguments)
        let value = try FlagsCommand.json(text, of: "--default")
        guard let codeDefault = kind.convert(value) else {
            throw .usage("--default must be of the type \(kind.rawValue), not '\(text)'")
        }
        try arguments.finish()
        self.kind = kind
        self.codeDefault = codeDefault
        set = try FlagsCommand.load(file)
    }

    /// Answers line by line to the end of standard input.
    func run() throws -> Int32 {
        try StandardStreams.readLines(longest: Self.longestLine) { line, number in
            guard !StandardStreams.isBlank(line) else { return }
            let context = Self.context(line)
            if context == nil { StandardStreams.note(Self.fault(of: line, number).printable) }
            try StandardStreams.write(answer(context))
        }
        return 0
    }

    /// Why a line is no context, for people.
    private static func fault(of line: ContiguousArray<UInt8>, _ number: Int) -> String {
        do throws(JSONError) {
            guard case .object = try JSONDocument(line).root.kind else {
                return "line \(number): a context must be a JSON object"
            }
            return "line \(number): 'targetingKey' must be a string or null, and every number must "
                + "fit 64 bits"
        } catch {
            return error.forPeople(inLine: number)
        }
    }

    /// The line that answers a context, or a line that is none.
    private func answer(_ context: FlagContext?) -> ContiguousArray<UInt8> {
        guard let context else {
            return Self.json(codeDefault, nil, .error, .invalidContext)
        }
        let evaluation = set.evaluate(flag, as: kind, default: codeDefault, for: context)
        return Self.json(
            evaluation.value, evaluation.variant, evaluation.reason, evaluation.errorCode)
    }

    private static func json(
        _ value: FlagValue, _ variant: String?, _ reason: FlagReason, _ error: FlagErrorCode?
    ) -> ContiguousArray<UInt8> {
        var json = JSONWriter()
        json.beginObject()
        json.key("value")
        json.value(value)
        json.key("variant")
        json.value(variant.map(FlagValue.string) ?? .null)
        json.member("reason", reason.rawValue)
        json.key("errorCode")
        json.value((error?.rawValue).map(FlagValue.string) ?? .null)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// A context as a line holds it; `nil` where the line is none.
    static func context(_ line: ContiguousArray<UInt8>) -> FlagContext? {
        guard let root = try? JSONDocument(line).root, case .object(let json) = root.kind,
            let object = FlagObject(json)
        else { return nil }
        let key: String?
        switch object["targetingKey"] {
        case nil, .null: key = nil
        case .string(let text): key = text
        case .bool, .integer, .double, .array, .object: return nil
        }
        if object.members.count == 2, case .object(let attributes)? = object["context"],
            object["targetingKey"] != nil
        {
            return FlagContext(targetingKey: key, attributes: attributes)
        }
        var attributes = object
        attributes["targetingKey"] = nil
        return FlagContext(targetingKey: key, attributes: attributes)
    }
}
