package import RejoinFlags
import RejoinJSON

/// Collects what is wrong with a file by offsets, and finds the lines and columns of all of it in
/// one pass.
struct FlagNotes {
    private var notes: [Note] = []

    private struct Note {
        let severity: FlagDiagnostic.Severity
        let code: FlagDiagnostic.Code
        let message: String
        let flag: String?
        let offset: Int
    }

    mutating func error(
        _ code: FlagDiagnostic.Code, _ message: String, flag: String? = nil, at offset: Int
    ) {
        notes.append(
            Note(severity: .error, code: code, message: message, flag: flag, offset: offset))
    }

    mutating func warning(
        _ code: FlagDiagnostic.Code, _ message: String, flag: String? = nil, at offset: Int
    ) {
        notes.append(
            Note(severity: .warning, code: code, message: message, flag: flag, offset: offset))
    }

    /// The diagnostics, in the order of the text.
    func diagnostics(in source: FlagSource) -> [FlagDiagnostic] {
        let places = JSONPlaces(notes.map(\.offset), in: source.bytes)
        return notes.map {
            FlagDiagnostic(
                $0.severity, $0.code, $0.message, flag: $0.flag, at: places[$0.offset])
        }.inOrderOfText
    }
}

extension [FlagDiagnostic] {
    /// Sorted by place; those of one place stay as they are.
    var inOrderOfText: [FlagDiagnostic] {
        enumerated().sorted {
            ($0.element.location.offset, $0.offset) < ($1.element.location.offset, $1.offset)
        }.map(\.element)
    }

    /// Whether one of them is an error.
    package var hasErrors: Bool { contains { $0.severity == .error } }
}

/// The mistakes that only tools look for.
extension FlagDiagnostic.Code {
    /// A weight is no whole number from 0, or the weights are too large together.
    package static let invalidWeight = FlagDiagnostic.Code("invalid_weight")
    /// A share is no `[variant, weight]`.
    package static let invalidShare = FlagDiagnostic.Code("invalid_share")
    /// An operator has operands with which it always gives null.
    package static let invalidOperands = FlagDiagnostic.Code("invalid_operands")
    /// A rule buckets by the flag's key, so that renaming the flag re-rolls everybody.
    package static let implicitKey = FlagDiagnostic.Code("implicit_key")
    /// A rule buckets by a constant, which is the same for everybody.
    package static let constantKey = FlagDiagnostic.Code("constant_key")
    /// Two flags bucket by the same key and so reach the same people.
    package static let sharedSeed = FlagDiagnostic.Code("shared_seed")
    /// The flag is older than its author wanted it to get.
    package static let expired = FlagDiagnostic.Code("expired")
    /// A member of `metadata` that tools know has the wrong form.
    package static let invalidMetadata = FlagDiagnostic.Code("invalid_metadata")
    /// A share has grown, and yet some who were in it fall out.
    package static let notNested = FlagDiagnostic.Code("not_nested")
    /// The generation is lower than in the baseline.
    package static let generationLowered = FlagDiagnostic.Code("generation_lowered")
    /// Two names of the file become one name in Swift, or none.
    package static let unusableName = FlagDiagnostic.Code("unusable_name")
    /// The code has no value of its own for the flag.
    package static let missingDefault = FlagDiagnostic.Code("missing_default")
    /// What was asked for cannot be done with this flag.
    package static let refused = FlagDiagnostic.Code("refused")
}
