internal import Foundation
internal import RejoinJSON
internal import RejoinPipeline
internal import RejoinTime

/// What a guard keeps between two starts, in a directory that the host names: the rollback in force
/// and the marker of the present run, a small JSON file each.
struct GuardFiles: Sendable {
    /// The flag that they speak of. A file about another one counts for nothing.
    let flag: String
    private let rollbackURL: URL
    private let markerURL: URL

    private static let limits = JSONLimits(maximumBytes: 4_096, maximumDepth: 4)

    init(directory: String, flag: String) {
        self.flag = flag
        let directory = URL(filePath: directory, directoryHint: .isDirectory)
        rollbackURL = directory.appending(path: "rejoin-rollback.json")
        markerURL = directory.appending(path: "rejoin-run.json")
    }

    // MARK: Reading

    /// The rollback in force; `nil` for none.
    ///
    /// - Throws: where there is a file and it cannot be read.
    func rollback() throws -> RollbackRecord? {
        guard let file = try object(at: rollbackURL) else { return nil }
        guard let generation: UInt64 = file.integer("generation"),
            let at: Int64 = file.integer("atMilliseconds"),
            case .string(let name)? = file["cause"]?.kind,
            let cause = GuardEvidence.Cause(rawValue: name),
            let observed: Int = file.integer("observed"), let all: Int = file.integer("of"),
            let limit: Int = file.integer("limit")
        else { throw CocoaError(.fileReadCorruptFile) }
        return RollbackRecord(
            generation: generation, at: WallTime(milliseconds: at),
            evidence: GuardEvidence(cause: cause, observed: observed, of: all, limit: limit))
    }

    /// The marker of the run before this one; `nil` for none. One that cannot be read is none: it
    /// is written anew with each run.
    func marker() -> RunMarker? {
        guard let file = try? object(at: markerURL), let shortRuns: Int = file.integer("shortRuns"),
            case .bool(let isLong)? = file["isLong"]?.kind,
            case .bool(let isEnded)? = file["isEnded"]?.kind
        else { return nil }
        return RunMarker(shortRuns: shortRuns, isLong: isLong, isEnded: isEnded)
    }

    private func object(at url: URL) throws -> JSONObject? {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
        guard
            case .object(let file) = try JSONDocument(
                ContiguousArray(data), limits: Self.limits
            ).root.kind
        else { throw CocoaError(.fileReadCorruptFile) }
        guard case .string(let flag)? = file["flag"]?.kind, flag.utf8.elementsEqual(self.flag.utf8)
        else { return nil }
        return file
    }

    // MARK: Writing

    /// Writes the rollback, or removes it.
    func store(_ rollback: RollbackRecord?) throws {
        guard let rollback else {
            do {
                try FileManager.default.removeItem(at: rollbackURL)
            } catch let error as CocoaError where error.code == .fileNoSuchFile {}
            return
        }
        var writer = begin()
        writer.member("generation", rollback.generation)
        writer.member("atMilliseconds", rollback.at.milliseconds)
        writer.member("cause", rollback.evidence.cause.rawValue)
        writer.member("observed", rollback.evidence.observed)
        writer.member("of", rollback.evidence.of)
        writer.member("limit", rollback.evidence.limit)
        try end(&writer, at: rollbackURL)
    }

    /// Writes the marker.
    func store(_ marker: RunMarker) throws {
        var writer = begin()
        writer.member("shortRuns", marker.shortRuns)
        writer.member("isLong", marker.isLong)
        writer.member("isEnded", marker.isEnded)
        try end(&writer, at: markerURL)
    }

    private func begin() -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("flag", flag)
        return writer
    }

    private func end(_ writer: inout JSONWriter, at url: URL) throws {
        writer.endObject()
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Readable once the device was unlocked: a run may begin by a push.
        #if canImport(Darwin)
        let options: Data.WritingOptions = [
            .atomic, .completeFileProtectionUntilFirstUserAuthentication,
        ]
        #else
        let options = Data.WritingOptions.atomic
        #endif
        try Data(writer.bytes).write(to: url, options: options)
    }
}

extension JSONObject {
    fileprivate func integer<Integer: FixedWidthInteger>(_ key: String) -> Integer? {
        guard case .number(let number)? = self[key]?.kind else { return nil }
        return number.integer()
    }
}
