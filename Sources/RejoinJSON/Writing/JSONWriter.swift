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

    /// Writes a whole number of any width.
    public mutating func integer(_ value: some FixedWidthInteger) {
        beginValue()
        digits(of: value)
        needsComma = true
    }

    /// Writes a whole number as a string, for readers that would round it above 2^53.
    public mutating func quotedInteger(_ value: some FixedWidthInteger) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        digits(of: value)
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

    private mutating func digits<Integer: FixedWidthInteger>(of value: Integer) {
        var magnitude = value.magnitude
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder))
            magnitude = quotient
        } while magnitude != 0
        bytes[start...].reverse()
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        // The pointer is used within the closure only; `withUTF8` hands over whole runs.
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices
            where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
                bytes.append(contentsOf: utf8[start..<index])
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: utf8[start...])
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
            let hexadecimal = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 0x0F)])
        }
    }
}
