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
    @usableFromInline let table: JSONFieldTable<Field>
    @usableFromInline var progress: JSONFieldProgress

    /// Starts an object.
    @inlinable
    public init() {
        table = Field.table
        progress = JSONFieldProgress()
    }

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
    private struct Key: Sendable {
        /// The first eight bytes, little endian, padded with zeros: what tells most keys apart.
        let prefix: UInt64
        let count: Int
        /// Where the bytes behind the prefix begin in `tails`.
        let tail: Int
    }

    private let keys: ContiguousArray<Key>
    private let tails: ContiguousArray<UInt8>

    init(_ names: [String]) {
        precondition(names.count <= 64, "an object decoder knows at most 64 keys")
        var keys: ContiguousArray<Key> = []
        var tails: ContiguousArray<UInt8> = []
        for name in names {
            let prefix = name.utf8.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            keys.append(Key(prefix: prefix, count: name.utf8.count, tail: tails.count))
            tails.append(contentsOf: name.utf8.dropFirst(8))
        }
        self.keys = keys
        self.tails = tails
    }

    /// The index of the key of these bytes, -1 where it is none.
    ///
    /// - Parameter readable: How many bytes may be read from the start of `bytes`, at least theirs.
    /// - Complexity: O(number of keys).
    func index(of bytes: UnsafeBufferPointer<UInt8>, readable: Int, hint: Int) -> Int {
        let prefix = Self.prefix(of: bytes, readable: readable)
        var index = hint < keys.count ? hint : 0
        for _ in 0..<keys.count {
            let key = keys[index]
            if key.prefix == prefix, key.count == bytes.count, hasTail(of: key, bytes) {
                return index
            }
            index += 1
            if index == keys.count { index = 0 }
        }
        return -1
    }

    private func hasTail(of key: Key, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 8
        while index < key.count {
            guard tails[key.tail + index - 8] == bytes[index] else { return false }
            index += 1
        }
        return true
    }

    @inline(__always)
    private static func prefix(of bytes: UnsafeBufferPointer<UInt8>, readable: Int) -> UInt64 {
        guard readable >= 8, let base = bytes.baseAddress else {
            return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        // One load for all eight bytes, which the comparison above allows.
        let word = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
        return bytes.count >= 8 ? word : word & ((1 << UInt64(8 * bytes.count)) - 1)
    }
}
