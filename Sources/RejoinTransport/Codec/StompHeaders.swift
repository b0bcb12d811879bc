/// The headers of a frame: unescaped, in order, repeats kept; the first of a repeated name rules
/// (STOMP 1.2, "Repeated Header Entries").
///
/// Names are compared octet by octet, never as `String` compares: to STOMP, "é" and "e" with a
/// combining accent are two names, and a peer must not be able to hide one behind the other.
///
/// All headers stand in one buffer, so that a decoded frame costs one allocation for them: a table
/// of lengths (two 32-bit numbers a header), then `name ':' value LF` for each, unescaped. The
/// separators let the decoder copy a plain header section as it stands.
public struct StompHeaders: Sendable {
    /// How many headers there are.
    public private(set) var count: Int
    private var storage: ContiguousArray<UInt8>

    /// Octets of one entry of the table.
    package static let entrySize = 8

    /// Creates headers without entries.
    public init() {
        count = 0
        storage = []
    }

    /// Creates headers of pairs, in their order.
    public init(_ pairs: some Collection<(String, String)>) {
        guard !pairs.isEmpty else {
            // Without capacity, the initialiser below would write into the one empty array that
            // all threads share.
            count = 0
            storage = []
            return
        }
        let text = pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 2 }
        let tableSize = pairs.count * Self.entrySize
        count = pairs.count
        storage = ContiguousArray(unsafeUninitializedCapacity: tableSize + text) { target, used in
            var writer = Writer(target, count: pairs.count)
            for (name, value) in pairs { writer.write(name, value) }
            used = writer.finish()
        }
    }

    /// Takes over a storage that the decoder has filled.
    package init(count: Int, storage: ContiguousArray<UInt8>) {
        self.count = count
        self.storage = storage
    }

    /// The first value of a name; `nil` where there is none. O(headers); the look-up itself
    /// allocates nothing, the text may.
    public subscript(name: String) -> String? {
        var name = name
        return name.withUTF8 { wanted in
            withUnsafeEntries { entries in
                entries.first(named: wanted).map { String(decoding: $0.value, as: UTF8.self) }
            }
        }
    }

    /// Whether there is a header of this name. O(headers), without allocation.
    public func contains(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { wanted in
            withUnsafeEntries { $0.first(named: wanted) != nil }
        }
    }

    /// The octets of the first value of a name; `nil` where there is none. O(headers), without
    /// allocation: the slice shares the headers' storage.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        var name = name
        let range: Range<Int>? = name.withUTF8 { wanted in
            withUnsafeEntries { $0.first(named: wanted)?.valueRange }
        }
        guard let range else { return nil }
        return ArraySlice(storage)[range]
    }

    /// Whether the first value of a name is this text, octet by octet. O(headers), without
    /// allocation.
    public func matches(_ name: String, _ value: String) -> Bool {
        var (name, value) = (name, value)
        return name.withUTF8 { wanted in
            value.withUTF8 { expected in
                withUnsafeEntries { entries in
                    entries.first(named: wanted).map { Octet.equal($0.value, expected) } ?? false
                }
            }
        }
    }

    /// All values of a name, in order. O(headers).
    public func values(of name: String) -> [String] {
        filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    /// Adds a header at the end. O(all headers): build many at once with `init`.
    public mutating func append(_ name: String, _ value: String) {
        var pairs = map { ($0.name, $0.value) }
        pairs.append((name, value))
        self = StompHeaders(pairs)
    }

    /// Removes every header of a name. O(all headers).
    public mutating func removeAll(_ name: String) {
        self = StompHeaders(
            filter { !$0.name.utf8.elementsEqual(name.utf8) }.map { ($0.name, $0.value) })
    }
}

extension StompHeaders: Hashable {
    public static func == (left: StompHeaders, right: StompHeaders) -> Bool {
        left.count == right.count && left.storage == right.storage
    }

    public func hash(into hasher: inout Hasher) {
        storage.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension StompHeaders: Sequence {
    /// One header.
    public typealias Element = (name: String, value: String)

    /// Goes through the headers in order.
    public struct Iterator: IteratorProtocol {
        private let headers: StompHeaders
        private var index = 0
        private var offset: Int

        fileprivate init(_ headers: StompHeaders) {
            self.headers = headers
            offset = headers.count * StompHeaders.entrySize
        }

        public mutating func next() -> Element? {
            guard index < headers.count else { return nil }
            let entry = headers.withUnsafeEntries { entries in
                let entry = entries.entry(index, at: offset)
                offset = entry.end
                return (
                    name: String(decoding: entry.name, as: UTF8.self),
                    value: String(decoding: entry.value, as: UTF8.self)
                )
            }
            index += 1
            return entry
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}

extension StompHeaders: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates headers of pairs: `[("destination", "/queue/a")]`.
    public init(arrayLiteral pairs: (String, String)...) {
        self.init(pairs)
    }

    /// Creates headers of pairs: `["destination": "/queue/a"]`. Order and repeats are kept.
    public init(dictionaryLiteral pairs: (String, String)...) {
        self.init(pairs)
    }
}

extension StompHeaders: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Tells the names only: values may hold secrets.
    public var description: String {
        "[\(map(\.name).joined(separator: ", "))]"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Storage

extension StompHeaders {
    /// The storage, read without copies. Pointers, because a look-up per frame through slices
    /// costs a reference count each, and the encoder copies whole lines.
    package struct Entries {
        package let count: Int
        package let bytes: UnsafeRawBufferPointer

        /// One header in the storage.
        package struct Entry {
            package let name: UnsafeBufferPointer<UInt8>
            package let value: UnsafeBufferPointer<UInt8>
            /// Where the value stands in the storage.
            package let valueRange: Range<Int>
            /// Where the next entry begins.
            package var end: Int { valueRange.upperBound + 1 }
        }

        /// Where the first entry begins.
        package var start: Int { count * StompHeaders.entrySize }

        /// The entry of an index whose place is known.
        package func entry(_ index: Int, at offset: Int) -> Entry {
            let table = index * StompHeaders.entrySize
            let nameLength = Int(bytes.loadUnaligned(fromByteOffset: table, as: UInt32.self))
            let valueLength = Int(bytes.loadUnaligned(fromByteOffset: table + 4, as: UInt32.self))
            let valueStart = offset + nameLength + 1
            return Entry(
                name: octets(offset..<offset + nameLength),
                value: octets(valueStart..<valueStart + valueLength),
                valueRange: valueStart..<valueStart + valueLength)
        }

        /// The first entry of a name. O(headers).
        package func first(named name: UnsafeBufferPointer<UInt8>) -> Entry? {
            var offset = start
            for index in 0..<count {
                let entry = entry(index, at: offset)
                if Octet.equal(entry.name, name) { return entry }
                offset = entry.end
            }
            return nil
        }

        /// The first entry of a name. O(headers).
        package func first(named name: StaticString) -> Entry? {
            first(
                named: UnsafeBufferPointer(
                    start: name.utf8Start, count: name.utf8CodeUnitCount))
        }

        /// All entries as they stand, `name ':' value LF` each.
        package var block: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[start...])
        }

        /// One entry as it stands, `name ':' value LF`.
        package func line(_ entry: Entry) -> UnsafeRawBufferPointer {
            let start = entry.valueRange.lowerBound - 1 - entry.name.count
            return UnsafeRawBufferPointer(rebasing: bytes[start..<entry.end])
        }

        /// Whether each entry has a name.
        package var hasNames: Bool {
            (0..<count).allSatisfy { index in
                bytes.loadUnaligned(
                    fromByteOffset: index * StompHeaders.entrySize, as: UInt32.self) > 0
            }
        }

        private func octets(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
            UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
        }
    }

    /// Reads the storage in place.
    package func withUnsafeEntries<Result>(_ body: (Entries) -> Result) -> Result {
        storage.withUnsafeBytes { body(Entries(count: count, bytes: $0)) }
    }

    /// Fills a storage of known size, entry by entry.
    private struct Writer {
        private let target: UnsafeMutableBufferPointer<UInt8>
        private var entry = 0
        private var offset: Int

        init(_ target: UnsafeMutableBufferPointer<UInt8>, count: Int) {
            self.target = target
            offset = count * StompHeaders.entrySize
        }

        mutating func write(_ name: String, _ value: String) {
            let nameLength = write(name, then: UInt8(ascii: ":"))
            let valueLength = write(value, then: UInt8(ascii: "\n"))
            let raw = UnsafeMutableRawBufferPointer(target)
            raw.storeBytes(
                of: UInt32(nameLength), toByteOffset: entry * StompHeaders.entrySize,
                as: UInt32.self)
            raw.storeBytes(
                of: UInt32(valueLength), toByteOffset: entry * StompHeaders.entrySize + 4,
                as: UInt32.self)
            entry += 1
        }

        func finish() -> Int { offset }

        private mutating func write(_ text: String, then separator: UInt8) -> Int {
            var text = text
            return text.withUTF8 { source in
                let end = target[offset...].initialize(fromContentsOf: source)
                target[end] = separator
                offset = end + 1
                return source.count
            }
        }
    }
}
