extension JSONWriter {
    /// Writes a tree, compact, its members in their order.
    ///
    /// - Complexity: O(size of the tree).
    public mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for value in values { self.value(value) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }
}
