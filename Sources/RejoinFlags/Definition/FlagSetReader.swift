package import RejoinJSON

/// Reads a whole flags file: flagd's format (`flags.json`, schema v0), strictly.
struct FlagSetReader {
    private let bytes: ContiguousArray<UInt8>
    private let limits: JSONLimits

    init(bytes: ContiguousArray<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    func read() throws(FlagFileError) -> FlagSet {
        guard !bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw FlagFileError(
                .empty, "the file is empty; write the new file beside it and rename it")
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, limits: limits, duplicateKeys: .list)
        } catch {
            throw FlagFileError(.invalidJSON, Self.text(of: error), at: error.location)
        }
        guard case .object(let file) = document.root.kind else {
            throw structure(
                "the file must be an object with the member 'flags'", document.root.offset)
        }
        try refuseAmbiguousMembers(of: file, document.issues)
        let metadata = try readMetadata(file["metadata"])
        var notes = fileNotes(file)
        let evaluators = try object("$evaluators", in: file) ?? JSONObject([])
        guard let flags = try object("flags", in: file) else {
            throw structure("the member 'flags' is missing", document.root.offset)
        }
        let oddities = KeyOddities(document.issues, file: file, flags: flags)
        notes += oddities.fileNotes
        let rules = SharedRules(evaluators, repeatedAt: oddities.oddOffsets)
        var expansion = 0
        var drafts: [FlagDraft] = []
        for member in flags.members where !oddities.isRepetition(member) {
            var reader = FlagDraftReader(
                member, FlagRuleCompiler(rules, expansion: expansion), fileMetadata: metadata)
            drafts.append(reader.read(oddities.notes(of: member)))
            expansion = reader.expansion
        }
        return finish(drafts, notes, metadata)
    }

    private static func text(of error: JSONError) -> String {
        "\(error.message)\(error.path.isEmpty ? "" : " (at \(error.path))")"
    }

    private func structure(_ message: String, _ offset: Int) -> FlagFileError {
        FlagFileError(.invalidStructure, message, at: JSONLocation(offset: offset, in: bytes))
    }

    // MARK: The file's own members

    private static let known = ["$schema", "$evaluators", "flags", "metadata"]

    /// Two `flags` in one file: nobody can say which is meant.
    private func refuseAmbiguousMembers(
        of file: JSONObject, _ issues: [JSONDocument.Issue]
    ) throws(FlagFileError) {
        let repetitions = Set(issues.filter { $0.kind == .duplicate }.map(\.secondOffset))
        guard let member = file.members.first(where: { repetitions.contains($0.keyOffset) })
        else { return }
        throw structure(
            "the member '\(member.key)' stands twice in the file; remove one", member.keyOffset)
    }

    private func fileNotes(_ file: JSONObject) -> [FlagNote] {
        file.members.filter { member in !Self.known.contains { $0.hasSameBytes(as: member.key) } }
            .map { member in
                FlagNote(
                    .warning, .unknownMember,
                    "the member '\(member.key)' means nothing here and is ignored",
                    at: member.keyOffset)
            }
    }

    private func object(_ key: String, in file: JSONObject) throws(FlagFileError) -> JSONObject? {
        guard let value = file[key] else { return nil }
        guard case .object(let object) = value.kind else {
            throw structure("'\(key)' must be an object", value.offset)
        }
        return object
    }

    private func readMetadata(_ json: JSONValue?) throws(FlagFileError) -> FlagObject {
        guard let json else { return [:] }
        guard case .object(let object) = json.kind else {
            throw structure("'metadata' must be an object", json.offset)
        }
        guard object.members.count <= FlagSet.maximumMetadata else {
            throw structure(
                "'metadata' may have \(FlagSet.maximumMetadata) members, because each flag takes "
                    + "them over; remove some", json.offset)
        }
        for member in object.members {
            guard member.value.isMetadata else {
                throw structure(
                    "metadata '\(member.key)' must be a string, a number or a boolean",
                    member.value.offset)
            }
            guard member.key.hasSameBytes(as: "bucketing") else { continue }
            guard case .string(let name) = member.value.kind,
                name.hasSameBytes(as: FlagSet.bucketing)
            else {
                throw FlagFileError(
                    .unsupportedBucketing,
                    "the file asks for another bucketing than 'v2', the only one this version "
                        + "has; with another every user would get a new bucket, so the file is "
                        + "refused: say \"v2\" or update the module",
                    at: JSONLocation(offset: member.value.offset, in: bytes))
            }
        }
        guard let metadata = FlagObject(object) else {
            throw structure("a number in 'metadata' is too large for a Double", json.offset)
        }
        return metadata
    }

    // MARK: Places

    /// Turns offsets into lines and columns, all in one pass, and drafts into flags.
    private func finish(
        _ drafts: [FlagDraft], _ fileNotes: [FlagNote], _ metadata: FlagObject
    ) -> FlagSet {
        let offsets =
            drafts.map(\.offset) + drafts.flatMap { $0.notes.map(\.offset) }
            + fileNotes.map(\.offset)
        let places = JSONPlaces(offsets, in: bytes)
        var diagnostics = fileNotes.map { $0.diagnostic(flag: nil, places) }
        let flags = drafts.map { draft in
            let own = draft.notes.map { $0.diagnostic(flag: draft.key, places) }
            diagnostics += own
            return FlagDefinition(
                key: draft.key, state: draft.state, variants: draft.variants,
                defaultVariant: draft.defaultVariant, metadata: draft.metadata,
                fault: draft.state == .disabled ? nil : own.first { $0.severity == .error },
                location: places[draft.offset], targeting: draft.targeting)
        }
        diagnostics.sort { $0.location.offset < $1.location.offset }
        return FlagSet(flags: flags, metadata: metadata, diagnostics: diagnostics)
    }
}

/// A diagnostic before its place is known.
struct FlagNote {
    let severity: FlagDiagnostic.Severity
    let code: FlagDiagnostic.Code
    let message: String
    let offset: Int

    init(
        _ severity: FlagDiagnostic.Severity, _ code: FlagDiagnostic.Code, _ message: String,
        at offset: Int
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.offset = offset
    }

    func diagnostic(flag: String?, _ places: JSONPlaces) -> FlagDiagnostic {
        FlagDiagnostic(severity, code, message, flag: flag, at: places[offset])
    }
}

/// The lines and columns of many offsets, found in one pass over the text: a file in which every
/// flag is at fault must not cost the square of its length.
package struct JSONPlaces {
    private var places: [Int: JSONLocation] = [:]

    package init(_ offsets: [Int], in bytes: ContiguousArray<UInt8>) {
        var line = 1
        var column = 1
        var position = 0
        for offset in Set(offsets).sorted() {
            while position < min(offset, bytes.count) {
                if bytes[position] == UInt8(ascii: "\n") {
                    line += 1
                    column = 1
                } else if bytes[position] & 0xC0 != 0x80 {
                    column += 1
                }
                position += 1
            }
            places[offset] = JSONLocation(offset: offset, line: line, column: column)
        }
    }

    /// The place of one of the offsets.
    package subscript(offset: Int) -> JSONLocation {
        places[offset] ?? JSONLocation(offset: offset, line: 1, column: 1)
    }
}

extension JSONValue {
    /// Whether it may be a metadata value.
    var isMetadata: Bool {
        switch kind {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }
}
