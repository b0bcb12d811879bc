/// The keys that a decoder knows, as an enumeration of at most 64 cases.
public protocol JSONField: RawRepresentable<String>, CaseIterable, Sendable {
    /// The keys, prepared once: `static let table = JSONFieldTable<Self>()`.
    static var table: JSONFieldTable<Self> { get }
}

/// The cases of a ``JSONField``, prepared for look-up by bytes.
public struct JSONFieldTable<Field: JSONField>: Sendable {
    @usableFromInline let cases: ContiguousArray<Field>
    @usableFromInline let keys: JSONKeyTable

    /// Prepares all cases.
    public init() {
        cases = ContiguousArray(Field.allCases)
        keys = JSONKeyTable(cases.map(\.rawValue))
    }
}

/// The members of one object that were read so far.
public struct JSONFields<Field: JSONField>: Sendable {
    @usableFromInline let table = Field.table
    @usableFromInline var progress = JSONFieldProgress()

    /// Starts an object.
    public init() {}

    /// Whether members were passed over because their keys are no cases of `Field`.
    public var hasUnknown: Bool { progress.hasUnknown }
}

/// What is known of the members of one object, whatever the enumeration.
@usableFromInline
struct JSONFieldProgress: Sendable {
    /// One bit for each key that came.
    var seen: UInt64 = 0
    /// The key that comes next if the writer kept its order.
    var hint = 0
    var hasUnknown = false

    @usableFromInline
    init() {}
}

/// A few keys, found by their bytes.
///
/// Writers keep their order, so the search starts behind the last hit and mostly ends at once.
@usableFromInline
struct JSONKeyTable: Sendable {
    private struct Entry: Sendable {
        /// The first eight bytes, little endian, padded with zeros.
        let prefix: UInt64
        let utf8: ContiguousArray<UInt8>
    }

    private let entries: ContiguousArray<Entry>

    init(_ keys: [String]) {
        precondition(keys.count <= 64, "an object decoder knows at most 64 keys")
        entries = ContiguousArray(
            keys.map { key in
                let utf8 = ContiguousArray(key.utf8)
                let prefix = utf8.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return Entry(prefix: prefix, utf8: utf8)
            })
    }

    /// The index of the key of these bytes, -1 where it is none.
    ///
    /// - Parameter readable: How many bytes may be read from the start of `key`, at least its own.
    /// - Complexity: O(number of keys).
    func index(of key: UnsafeRawBufferPointer, readable: Int, hint: Int) -> Int {
        let prefix = Self.prefix(of: key, readable: readable)
        var index = hint < entries.count ? hint : 0
        for _ in 0..<entries.count {
            if entries[index].prefix == prefix, entries[index].utf8.count == key.count,
                key.count <= 8 || key.dropFirst(8).elementsEqual(entries[index].utf8.dropFirst(8))
            {
                return index
            }
            index += 1
            if index == entries.count { index = 0 }
        }
        return -1
    }

    @inline(__always)
    private static func prefix(of key: UnsafeRawBufferPointer, readable: Int) -> UInt64 {
        guard let base = key.baseAddress, !key.isEmpty else { return 0 }
        if readable >= 8 {
            let word = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
            return key.count >= 8 ? word : word & ((1 << UInt64(8 * key.count)) - 1)
        }
        return key.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
