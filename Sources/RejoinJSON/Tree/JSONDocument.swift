/// A whole JSON text as a tree, with what is odd about its keys.
public struct JSONDocument: Sendable {
    /// The value.
    public let root: JSONValue
    /// Keys that stand twice in one object, or that only look the same, in the order of the text.
    public let issues: [Issue]

    /// Reads a text.
    ///
    /// - Parameter duplicateKeys: What to do with a key that stands twice in one object. RFC 8259
    ///   section 4 leaves it open, and parsers differ, so that one text means several things.
    /// - Throws: ``JSONError`` with the place of the first fault.
    /// - Complexity: O(length of the text).
    public init(
        _ bytes: ContiguousArray<UInt8>, limits: JSONLimits = JSONLimits(),
        duplicateKeys: DuplicateKeys = .refuse
    ) throws(JSONError) {
        var builder = JSONTreeBuilder(duplicateKeys: duplicateKeys)
        root = try JSONReader.read(bytes, limits: limits) { (reader) throws(JSONError) in
            try builder.value(&reader)
        }
        issues = builder.issues
    }

    /// What to do with a key that stands twice in one object.
    public enum DuplicateKeys: Hashable, Sendable {
        /// Throw ``JSONError`` of code `duplicate_key`.
        case refuse
        /// Keep all members and list an ``Issue``.
        case list
    }

    /// Something odd about two keys of one object.
    public struct Issue: Hashable, Sendable {
        /// What it is.
        public let kind: Kind
        /// The key, as its second member spells it.
        public let key: String
        /// The earlier key's quotation mark, counted from the start of the text.
        public let firstOffset: Int
        /// The later key's quotation mark, counted from the start of the text.
        public let secondOffset: Int

        /// The kinds of issue.
        public enum Kind: Hashable, Sendable {
            /// The same bytes.
            case duplicate
            /// Other bytes, but the same characters (canonical equivalence, UAX #15): people
            /// cannot tell them apart, and neither can Swift's `String`.
            case lookAlike
        }
    }
}

/// Builds a tree from a reader.
private struct JSONTreeBuilder {
    let duplicateKeys: JSONDocument.DuplicateKeys
    var issues: [JSONDocument.Issue] = []

    init(duplicateKeys: JSONDocument.DuplicateKeys) {
        self.duplicateKeys = duplicateKeys
    }

    mutating func value(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        let type = try reader.peek()
        let offset = reader.valueStart
        switch type {
        case .null:
            _ = try reader.takeNull()
            return JSONValue(.null, offset: offset)
        case .bool: return JSONValue(.bool(try reader.bool()), offset: offset)
        case .number: return JSONValue(.number(try reader.number()), offset: offset)
        case .string: return JSONValue(.string(try reader.string()), offset: offset)
        case .array:
            var values: [JSONValue] = []
            try reader.beginArray()
            while try reader.nextElement() { values.append(try value(&reader)) }
            return JSONValue(.array(values), offset: offset)
        case .object:
            return JSONValue(.object(try object(&reader)), offset: offset)
        }
    }

    private mutating func object(_ reader: inout JSONReader) throws(JSONError) -> JSONObject {
        var members: [JSONObject.Member] = []
        // `String` hashes and compares by canonical equivalence, which is what finds look-alikes.
        var firstOfSpelling: [Spelling: Int] = [:]
        var firstOfLook: [String: Int] = [:]
        try reader.beginObject()
        while let token = try reader.nextKey() {
            let key = try reader.text(of: token)
            let offset = token.start - 1
            if let first = firstOfSpelling[Spelling(key: key)] {
                guard duplicateKeys == .list else {
                    throw reader.error(
                        .duplicateKey, "the key stands twice in one object; remove one", at: offset)
                }
                note(.duplicate, key, first, offset)
            } else {
                firstOfSpelling[Spelling(key: key)] = offset
                if let first = firstOfLook[key] {
                    note(.lookAlike, key, first, offset)
                } else {
                    firstOfLook[key] = offset
                }
            }
            members.append(JSONObject.Member(key, try value(&reader), keyOffset: offset))
        }
        return JSONObject(members)
    }

    private mutating func note(
        _ kind: JSONDocument.Issue.Kind, _ key: String, _ first: Int, _ second: Int
    ) {
        issues.append(
            JSONDocument.Issue(kind: kind, key: key, firstOffset: first, secondOffset: second))
    }

    /// A key that is equal to another where the bytes are.
    private struct Spelling: Hashable {
        let key: String

        static func == (left: Spelling, right: Spelling) -> Bool {
            left.key.utf8.elementsEqual(right.key.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for byte in key.utf8 { hasher.combine(byte) }
        }
    }
}
