/// Writes JSON in UTF-8: compact, members in the order in which they are written, escapes only
/// where the grammar asks for them.
///
/// The caller closes what it opens; nothing is checked, because a writer of known shapes cannot be
/// wrong by chance.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: ContiguousArray<UInt8>
    private var needsComma = false

    /// Starts a text.
    public init(reservingBytes capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // MARK: Containers

    /// Opens an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Closes an object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Closes an array.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key; its value comes next.
    public mutating func key(_ key: String) {
        beginValue()
        quoted(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    /// Writes a string.
    ///
    /// - Complexity: O(length).
    public mutating func string(_ value: String) {
        beginValue()
        quoted(value)
        needsComma = true
    }

    /// Writes a whole number of any width up to 128 bits.
    @inlinable
    public mutating func integer<Integer: FixedWidthInteger>(_ value: Integer) {
        wholeNumber(UInt128(value.magnitude), isNegative: value < 0, isQuoted: false)
    }

    /// Writes a whole number as a string, for readers that would round it above 2^53.
    @inlinable
    public mutating func quotedInteger<Integer: FixedWidthInteger>(_ value: Integer) {
        wholeNumber(UInt128(value.magnitude), isNegative: value < 0, isQuoted: true)
    }

    @usableFromInline
    mutating func wholeNumber(_ magnitude: UInt128, isNegative: Bool, isQuoted: Bool) {
        beginValue()
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        digits(of: magnitude)
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        needsComma = true
    }

    /// Writes 128 bits, most significant first, as the text of a UUID in lower case (RFC 9562
    /// section 4).
    package mutating func quotedUUID(_ bits: UInt128) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        for index in 0..<32 {
            switch index {
            case 8, 12, 16, 20: bytes.append(UInt8(ascii: "-"))
            default: break
            }
            let half = UInt64(truncatingIfNeeded: index < 16 ? bits >> 64 : bits)
            bytes.append(StringScan.hexDigit(UInt8(half >> UInt64(60 - 4 * (index & 15)) & 0xF)))
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a number.
    public mutating func number(_ value: JSONNumber) { raw(value.text) }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { raw("null") }

    /// Writes a text that is JSON already, as it is.
    public mutating func raw(_ json: String) {
        beginValue()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    // MARK: Members

    /// Writes a member; nothing where the value is `nil`.
    public mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    /// Writes a member; nothing where the value is `nil`.
    @inlinable
    public mutating func member<Integer: FixedWidthInteger>(_ name: String, _ value: Integer?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    /// Writes a member.
    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    // MARK: Bytes

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func digits(of magnitude: UInt128) {
        // Nineteen digits fit 64 bits, where division is fast.
        let billions: UInt128 = 10_000_000_000_000_000_000
        guard magnitude > UInt128(UInt64.max) else {
            return digits(of: UInt64(magnitude), atLeast: 1)
        }
        let (high, low) = magnitude.quotientAndRemainder(dividingBy: billions)
        digits(of: high)
        digits(of: UInt64(low), atLeast: 19)
    }

    private mutating func digits(of value: UInt64, atLeast minimum: Int) {
        let start = bytes.count
        var rest = value
        while rest != 0 || bytes.count - start < minimum {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        var low = start
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        // The pointers are used within the closure only; runs that need no escape are copied
        // whole, which is most of the work of a page.
        text.withUTF8 { utf8 in
            var start = 0
            while let index = StringScan.firstSpecial(in: utf8, from: start) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(StringScan.hexDigit(byte >> 4))
            bytes.append(StringScan.hexDigit(byte & 0x0F))
        }
    }
}
