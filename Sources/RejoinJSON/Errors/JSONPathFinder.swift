/// Finds the place in a value of an offset in its text, such as `messages[3].id`.
///
/// It walks the text from its start, which the reader has found valid up to the offset, so it may
/// be lenient.
enum JSONPathFinder {
    private enum Container {
        /// `key` is `nil` between the members.
        case object(key: String?)
        /// `index` counts from 0; `isInside` is `false` between the elements.
        case array(index: Int, isInside: Bool)
    }

    /// The place of an offset in a text.
    ///
    /// - Complexity: O(`offset`).
    static func path(to offset: Int, in whole: UnsafeRawBufferPointer) -> String {
        let text = UnsafeRawBufferPointer(rebasing: whole[..<offset])
        var containers: [Container] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"):
                enterValue(&containers)
                containers.append(.object(key: nil))
                index += 1
            case UInt8(ascii: "["):
                enterValue(&containers)
                containers.append(.array(index: 0, isInside: true))
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = containers.popLast()
                leaveValue(&containers)
                index += 1
            case UInt8(ascii: ","):
                nextValue(&containers)
                index += 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = endOfString(in: text, from: start)
                guard index < text.count else { break }
                if case .object(nil) = containers.last {
                    containers[containers.count - 1] =
                        .object(key: name(UnsafeRawBufferPointer(rebasing: text[start..<index])))
                } else {
                    leaveValue(&containers)
                }
                index += 1
            case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ":"):
                index += 1
            default:
                while index < text.count, !isDelimiter(text[index]) { index += 1 }
                // A word or number goes on up to a delimiter, which may stand at the offset itself.
                if index < whole.count, isDelimiter(whole[index]) { leaveValue(&containers) }
            }
        }
        return render(containers)
    }

    private static func enterValue(_ containers: inout [Container]) {
        if case .array(let index, _) = containers.last {
            containers[containers.count - 1] = .array(index: index, isInside: true)
        }
    }

    private static func leaveValue(_ containers: inout [Container]) {
        switch containers.last {
        case .object: containers[containers.count - 1] = .object(key: nil)
        case .array(let index, _):
            containers[containers.count - 1] = .array(index: index, isInside: false)
        case nil: break
        }
    }

    private static func nextValue(_ containers: inout [Container]) {
        if case .array(let index, _) = containers.last {
            containers[containers.count - 1] = .array(index: index + 1, isInside: true)
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
        default: false
        }
    }

    private static func endOfString(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// Stands for a key that is not shown.
    private static let hidden = "…"

    /// A key for people to read. Keys that are not plain names may be anything, also a secret or
    /// half a megabyte, and are not shown.
    private static func name(_ key: UnsafeRawBufferPointer) -> String {
        let isPlain = key.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "$"):
                true
            default: false
            }
        }
        guard isPlain, !key.isEmpty, key.count <= 64 else { return hidden }
        return String(decoding: key, as: UTF8.self)
    }

    private static func render(_ containers: [Container]) -> String {
        var path = ""
        for container in containers {
            switch container {
            // Of several that are not shown, one sign tells.
            case .object(hidden?) where path.hasSuffix(hidden): break
            case .object(let key?): path += path.isEmpty ? key : ".\(key)"
            case .array(let index, true): path += "[\(index)]"
            case .object(nil), .array(_, false): break
            }
        }
        return path
    }
}
