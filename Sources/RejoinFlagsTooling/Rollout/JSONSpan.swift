import RejoinJSON

/// Finds where values end in a text that is known to be JSON, so that a tool can change one of them
/// and leave the rest of the file as its author wrote it.
enum JSONSpan {
    /// The range of the value that starts at an offset.
    ///
    /// - Complexity: O(length of the value).
    static func range(from start: Int, in bytes: ContiguousArray<UInt8>) -> Range<Int> {
        var index = start
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(from: index, in: bytes)
                if depth == 0 { return start..<index }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of what a number or word stands in.
                if depth == 0 { return start..<index }
                depth -= 1
                index += 1
                if depth == 0 { return start..<index }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return start..<index }
                index += 1
            default:
                index += 1
            }
        }
        return start..<index
    }

    private static func endOfString(from start: Int, in bytes: ContiguousArray<UInt8>) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}

/// A replacement of some bytes of a text.
struct TextEdit: Hashable {
    let range: Range<Int>
    let text: String

    /// Replaces a value.
    static func replace(_ value: JSONValue, by text: String, in bytes: ContiguousArray<UInt8>)
        -> TextEdit
    {
        TextEdit(range: JSONSpan.range(from: value.offset, in: bytes), text: text)
    }

    /// Adds members at the end of an object, in the style of its last member.
    static func append(
        _ members: [(key: String, value: String)], to object: JSONValue,
        in bytes: ContiguousArray<UInt8>
    ) -> TextEdit {
        let last = object.object?.members.last
        let colon = Self.colon(after: last, in: bytes)
        let body = members.map { "\"\($0.key)\"\(colon)\($0.value)" }
        guard let last else {
            let inside = object.offset + 1
            return TextEdit(range: inside..<inside, text: body.joined(separator: ", "))
        }
        var gap = Self.gap(before: last.keyOffset, in: bytes)
        // `{"a": 1}` says nothing of commas, but its author likes spaces.
        if object.object?.members.count == 1, gap.isEmpty, colon.hasSuffix(" ") { gap = " " }
        let separator = ",\(gap)"
        let end = JSONSpan.range(from: last.value.offset, in: bytes).upperBound
        return TextEdit(range: end..<end, text: body.map { separator + $0 }.joined())
    }

    /// White space between a comma or bracket and a key: a new line with its indentation, or less.
    private static func gap(before key: Int, in bytes: ContiguousArray<UInt8>) -> String {
        let space = bytes[..<key].reversed().prefix {
            [0x20, 0x09, 0x0A, 0x0D].contains($0)
        }.reversed()
        return String(decoding: space, as: UTF8.self)
    }

    /// The colon of a member, with the white space around it.
    private static func colon(after member: JSONObject.Member?, in bytes: ContiguousArray<UInt8>)
        -> String
    {
        guard let member else { return ": " }
        let end = JSONSpan.range(from: member.keyOffset, in: bytes)
        return String(decoding: bytes[end.upperBound..<member.value.offset], as: UTF8.self)
    }

    /// The text with replacements made, which must not overlap.
    ///
    /// - Complexity: O(length + number of edits · log).
    static func apply(_ edits: [TextEdit], to bytes: ContiguousArray<UInt8>)
        -> ContiguousArray<UInt8>
    {
        var result: ContiguousArray<UInt8> = []
        result.reserveCapacity(bytes.count + 128)
        var position = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result.append(contentsOf: bytes[position..<edit.range.lowerBound])
            result.append(contentsOf: edit.text.utf8)
            position = edit.range.upperBound
        }
        result.append(contentsOf: bytes[position...])
        return result
    }
}
