/// A pull reader: takes a JSON text apart in one pass, straight into the caller's values, with no
/// tree between them.
///
/// Strict after RFC 8259: UTF-8 is checked, nothing is repaired, nothing is rounded, and known keys
/// that stand twice are refused. It comes as an `inout` argument of ``read(_:limits:_:)`` and
/// cannot leave it.
///
/// ```swift
/// enum Field: String, JSONField {
///     case name, age
///     static let table = JSONFieldTable<Field>()
/// }
///
/// let name = try JSONReader.read(bytes) { reader throws(JSONError) in
///     var fields = JSONFields<Field>()
///     var name: String?
///     try reader.beginObject()
///     while let field = try reader.nextField(&fields) {
///         switch field {
///         case .name: name = try reader.string()
///         case .age: try reader.skip()
///         }
///     }
///     return name
/// }
/// ```
public struct JSONReader: ~Copyable {
    /// The text. A raw pointer, because the safe views available on the oldest supported systems
    /// make a page of history take about twice as long; `read` alone creates readers, the type is
    /// not copyable, and every access below stands behind a comparison with `end`.
    let base: UnsafeRawPointer
    /// The length of the text.
    let end: Int
    /// What the reader takes at most.
    let limits: JSONLimits
    /// The next byte to read.
    var position = 0
    /// Where the last value or key began; the place of errors about its meaning.
    var valueStart = 0
    /// Open objects and arrays.
    var depth = 0
    /// Members and elements so far.
    var valueCount = 0
    /// Whether the innermost container was just opened, so that no comma may come.
    var isAtStartOfContainer = false
    /// Unescaped text; kept to be used again.
    var scratch = ContiguousArray<UInt8>()

    init(base: UnsafeRawPointer, count: Int, limits: JSONLimits) {
        self.base = base
        self.end = count
        self.limits = limits
    }

    /// Reads a whole text.
    ///
    /// - Throws: ``JSONError``, also where something other than white space follows the value that
    ///   `body` reads.
    /// - Complexity: O(length of the text).
    public static func read<Value>(
        _ bytes: ContiguousArray<UInt8>, limits: JSONLimits = JSONLimits(),
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        // The pointer lives for the closure, and so does the reader, which cannot leave it.
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> Value in
            guard let base = buffer.baseAddress, !buffer.isEmpty else {
                throw JSONError(
                    .unexpectedEnd, "the text is empty; send one JSON value",
                    at: JSONLocation(offset: 0, line: 1, column: 1))
            }
            var reader = JSONReader(
                base: UnsafeRawPointer(base), count: buffer.count, limits: limits)
            try reader.start()
            let value = try body(&reader)
            try reader.finish()
            return value
        }
    }

    /// Checks what can be checked before the first value.
    private func start() throws(JSONError) {
        guard end <= limits.maximumBytes else {
            throw error(
                .limitExceeded, "the text is longer than \(limits.maximumBytes) bytes", at: 0)
        }
        guard end < 3 || byte(0) != 0xEF || byte(1) != 0xBB || byte(2) != 0xBF else {
            throw error(.byteOrderMark, "remove the byte order mark", at: 0)
        }
    }

    /// Checks that only white space follows.
    private mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard position == end else {
            throw error(.trailingData, "one value was expected, more follows", at: position)
        }
    }

    // MARK: Bytes

    /// The byte at an offset; the caller has compared it with ``end``.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        base.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while position < end {
            switch byte(position) {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Goes to the next value and returns its first byte.
    @inline(__always)
    mutating func firstByte() throws(JSONError) -> UInt8 {
        skipWhitespace()
        valueStart = position
        guard position < end else { throw unexpectedEnd() }
        return byte(position)
    }

    // MARK: Types

    /// The type of the next value, by its first byte; nothing is consumed.
    public mutating func peek() throws(JSONError) -> JSONType {
        switch try firstByte() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default:
            throw error(.unexpectedByte, "a value was expected", at: position)
        }
    }

    /// The error for a next value of the wrong type, or for no value at all.
    mutating func wrongType(expected: JSONType) -> JSONError {
        do throws(JSONError) {
            let found = try peek()
            return error(
                .wrongType, "\(expected.name) was expected, \(found.name) was found", at: position)
        } catch {
            return error
        }
    }

    // MARK: Literals

    /// Takes `true` or `false`.
    public mutating func bool() throws(JSONError) -> Bool {
        switch try firstByte() {
        case UInt8(ascii: "t"):
            try literal("true")
            return true
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default:
            throw wrongType(expected: .bool)
        }
    }

    /// Takes `null` where it comes next; whether it did.
    public mutating func takeNull() throws(JSONError) -> Bool {
        guard try firstByte() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position + index < end else { throw unexpectedEnd() }
            // A static string's bytes live as long as the program.
            guard byte(position + index) == word.utf8Start[index] else {
                throw error(
                    .unexpectedByte, "only true, false and null are words of JSON",
                    at: position + index)
            }
        }
        position += word.utf8CodeUnitCount
    }

    // MARK: Skipping

    /// Passes over the next value, whatever it is; it must still be valid JSON.
    ///
    /// - Complexity: O(length of the value).
    public mutating func skip() throws(JSONError) {
        switch try peek() {
        case .null: _ = try takeNull()
        case .bool: _ = try bool()
        case .number: _ = try scanNumber()
        case .string: try check(scanString())
        case .array:
            try beginArray()
            while try nextElement() { try skip() }
        case .object:
            try beginObject()
            while let key = try nextKey() {
                try check(key)
                try skip()
            }
        }
    }

    /// Takes the next value as the text that it is, byte by byte.
    ///
    /// - Complexity: O(length of the value).
    public mutating func rawJSON() throws(JSONError) -> String {
        skipWhitespace()
        let start = position
        try skip()
        // The pointer is used within the call; `skip` has checked the bytes.
        return String(
            decoding: UnsafeRawBufferPointer(start: base + start, count: position - start),
            as: UTF8.self)
    }

    /// Lets `body` read ahead and then stands where it stood.
    ///
    /// Meant for a member that decides how the others are read; each byte read so is read twice.
    public mutating func lookingAhead<Value>(
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        let saved = (position, depth, valueCount, isAtStartOfContainer)
        let value = try body(&self)
        (position, depth, valueCount, isAtStartOfContainer) = saved
        return value
    }
}

/// The types of JSON (RFC 8259 section 3).
public enum JSONType: Hashable, Sendable {
    case null, bool, number, string, array, object

    /// The type with its article, for error texts.
    var name: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
