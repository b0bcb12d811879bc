package import RejoinFlags
import RejoinJSON

/// A flags file as tools see it: its bytes, its tree with the places of everything, and the flags
/// that a program would get from it.
package struct FlagSource: Sendable {
    /// The file's path, as diagnostics show it.
    package let path: String
    /// The bytes.
    package let bytes: ContiguousArray<UInt8>
    /// What a program would get.
    package let set: FlagSet
    /// The file's members.
    let root: JSONObject
    /// The flags' members, in the order of the file; a repeated one only at its first place.
    let flags: [JSONObject.Member]
    private let places: [ByteKey: Int]

    /// The longest file that is taken.
    package static let maximumBytes = FlagSet.limits.maximumBytes

    /// Reads a file's bytes.
    ///
    /// - Throws: `FlagFileError` where the file as a whole cannot be used.
    /// - Complexity: O(length of the file).
    package init(path: String, bytes: ContiguousArray<UInt8>) throws(FlagFileError) {
        self.path = path
        self.bytes = bytes
        set = try FlagSet(bytes)
        // What the set was read from is an object with the object `flags` in it.
        let document = try? JSONDocument(bytes, limits: FlagSet.limits, duplicateKeys: .list)
        root = document?.root.object ?? JSONObject([])
        var flags: [JSONObject.Member] = []
        var places: [ByteKey: Int] = [:]
        for flag in root["flags"]?.object?.members ?? [] where places[ByteKey(flag.key)] == nil {
            places[ByteKey(flag.key)] = flags.count
            flags.append(flag)
        }
        self.flags = flags
        self.places = places
    }

    /// The shared rules.
    var evaluators: JSONObject { root["$evaluators"]?.object ?? JSONObject([]) }

    /// The member of a flag.
    func flag(_ key: String) -> JSONObject.Member? {
        places[ByteKey(key)].map { flags[$0] }
    }
}

extension JSONValue {
    /// The members of an object; `nil` for anything else.
    var object: JSONObject? {
        guard case .object(let object) = kind else { return nil }
        return object
    }

    /// The text of a string; `nil` for anything else.
    var string: String? {
        guard case .string(let text) = kind else { return nil }
        return text
    }

    /// The elements of an array; `nil` for anything else.
    var array: [JSONValue]? {
        guard case .array(let items) = kind else { return nil }
        return items
    }

    /// A number written without point and exponent; `nil` for anything else.
    var integer: Int64? {
        guard case .number(let number) = kind else { return nil }
        return number.integer()
    }

    /// A number without a fraction, such as 10 and 10.0; `nil` for anything else.
    var whole: Int64? {
        guard case .number(let number) = kind else { return nil }
        if let whole = number.integer(Int64.self) { return whole }
        return number.exactDouble.flatMap { Int64(exactly: $0) }
    }
}

extension JSONObject {
    /// The first member whose key has these bytes.
    func member(_ key: String) -> Member? {
        members.first { $0.key.hasSameBytes(as: key) }
    }
}
