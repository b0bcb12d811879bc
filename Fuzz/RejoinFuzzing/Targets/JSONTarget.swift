import RejoinContracts
import RejoinJSON

extension FuzzTarget {
    /// The input is the text.
    static let json = FuzzTarget(
        "json", words: "json",
        promise: "every text is read without loss or refused with a place inside it",
        seeds: {
            JSONVectors.accepted.map { ContiguousArray($0.text.utf8) }
                + JSONVectors.refused.map { ContiguousArray($0.bytes) }
                + [ContiguousArray(JSONVectors.sample.utf8)]
        },
        run: { bytes in
            let skipped = outcome { () throws(JSONError) in
                try JSONReader.read(bytes) { (reader) throws(JSONError) in try reader.skip() }
            }
            let read: JSONDocument
            do throws(JSONError) {
                read = try JSONDocument(bytes, duplicateKeys: .list)
            } catch {
                try require(
                    skipped?.offset, equals: error.offset, "fuzz.json.skip",
                    whoIsHurt: "whoever trusts that a skipped member was JSON")
                return try check(error, in: bytes)
            }
            try require(
                skipped == nil, "fuzz.json.skip", expected: "what is read can be skipped",
                got: "\(skipped.map(\.description) ?? "")", whoIsHurt: anybody)
            for issue in read.issues {
                try require(
                    issue.firstOffset < issue.secondOffset && issue.secondOffset < bytes.count,
                    "fuzz.json.issue", expected: "two places in order", got: "\(issue)",
                    whoIsHurt: "whoever edits the file by hand")
            }

            let compact = written(read.root)
            let again = try JSONDocument(compact, duplicateKeys: .list)
            try require(
                again.root, equals: read.root, "fuzz.json.again", whoIsHurt: anybody)
            try require(
                written(again.root), equals: compact, "fuzz.json.settled", whoIsHurt: anybody)
            try checkNumbers(in: read.root)
            checkTightLimits(bytes)
        })

    private static func written(_ value: JSONValue) -> ContiguousArray<UInt8> {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    private static func outcome(_ body: () throws(JSONError) -> Void) -> JSONError? {
        do throws(JSONError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func check(_ error: JSONError, in bytes: ContiguousArray<UInt8>) throws {
        try require(
            (0...bytes.count).contains(error.offset), "fuzz.json.place",
            expected: "a place within \(bytes.count) bytes", got: "\(error.offset)",
            whoIsHurt: "whoever looks for the fault")
        try require(
            error.location, equals: JSONLocation(offset: error.offset, in: bytes),
            "fuzz.json.line", whoIsHurt: "whoever looks for the fault")
    }

    private static func checkNumbers(in value: JSONValue) throws {
        switch value.kind {
        case .null, .bool, .string: break
        case .array(let values): for value in values { try checkNumbers(in: value) }
        case .object(let object):
            for member in object.members { try checkNumbers(in: member.value) }
        case .number(let number):
            if let integer = number.integer(Int64.self), number.text != "-0" {
                try require(
                    JSONNumber(integer), equals: number, "fuzz.json.integer", whoIsHurt: anybody)
            }
            if let double = number.exactDouble {
                try require(
                    JSONNumber(double)?.double, equals: double, "fuzz.json.double",
                    whoIsHurt: anybody)
            }
        }
    }

    /// Tight limits may refuse, and must not trap.
    private static func checkTightLimits(_ bytes: ContiguousArray<UInt8>) {
        _ = try? JSONDocument(
            bytes,
            limits: JSONLimits(
                maximumBytes: 200, maximumDepth: 3, maximumStringBytes: 12, maximumValues: 6))
    }
}
