import RejoinJSON

/// The shared rules of a file (`$evaluators`), by name.
struct SharedRules {
    /// How many values the references of one file may stand for together: each is replaced by its
    /// rule, so that a short file could take any amount of memory.
    static let maximumExpansion = 400_000

    /// A rule that others may name.
    struct Entry {
        let json: JSONValue
        /// How many values it consists of.
        let size: Int
        /// Whether another has the same name, so that nobody can say which is meant.
        let isAmbiguous: Bool
    }

    private var entries: [ByteKey: Entry] = [:]

    /// - Complexity: O(size of the evaluators).
    init(_ evaluators: JSONObject, repeatedAt offsets: Set<Int>) {
        let repeated = Set(
            evaluators.members.filter { offsets.contains($0.keyOffset) }.map { ByteKey($0.key) })
        for member in evaluators.members {
            let key = ByteKey(member.key)
            entries[key] = Entry(
                json: member.value, size: member.value.count, isAmbiguous: repeated.contains(key))
        }
    }

    subscript(name: String) -> Entry? { entries[ByteKey(name)] }
}

extension JSONValue {
    /// How many values stand in it, itself included.
    fileprivate var count: Int {
        switch kind {
        case .null, .bool, .number, .string: 1
        case .array(let values): values.reduce(1) { $0 + $1.count }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
        }
    }
}
