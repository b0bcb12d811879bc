import RejoinJSON
import RejoinModel

/// A value in the words of a report: what a colleague would say of it, without Swift's dumps, and
/// without what people wrote to each other.
///
/// Lists are shown up to twelve elements. Nothing in the text breaks its line.
///
/// - Complexity: O(size of the value).
func inWords(_ value: Any) -> String {
    let text = Description.text(of: value, depth: 0)
    return text.count <= Description.longest
        ? text : "\(text.prefix(Description.longest))… (cut)"
}

/// Two values that differ, in words that differ too.
func inWords(_ actual: Any, unlike expected: Any) -> String {
    let text = inWords(actual)
    guard text == inWords(expected), let place = Description.difference(actual, expected) else {
        return text
    }
    return "\(text), which differs in \(place)"
}

private enum Description {
    /// How long a description gets, in characters.
    static let longest = 600
    private static let longestList = 12
    private static let longestText = 80
    /// How deep values are told.
    private static let depth = 5

    static func text(of value: Any, depth: Int) -> String {
        switch value {
        case let text as String: return "\"\(cut(text))\""
        case let message as Message: return text(of: message)
        case let block as ContentBlock: return text(of: block)
        case let code as BackendFailure.Code: return cut(code.rawValue)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        let children = Array(mirror.children)
        guard depth < Self.depth else { return words(of: mirror.subjectType) }
        func tell(_ value: Any) -> String { text(of: value, depth: depth + 1) }
        switch mirror.displayStyle {
        case .optional: return children.first.map { text(of: $0.value, depth: depth) } ?? "nothing"
        case .collection: return list(children.map { tell($0.value) }, of: children.count)
        case .set: return list(children.map { tell($0.value) }.sorted(), of: children.count)
        case .dictionary:
            let pairs = children.map { child in
                Mirror(reflecting: child.value).children.map { tell($0.value) }
                    .joined(separator: ": ")
            }
            return list(pairs.sorted(), of: children.count)
        case .tuple: return "(\(children.map { tell($0.value) }.joined(separator: ", ")))"
        case .struct, .class, .enum, .foreignReference, nil: break
        @unknown default: break
        }
        if let known = value as? any CustomStringConvertible { return cut(known.description) }
        if mirror.displayStyle == .enum {
            guard let child = children.first, let name = child.label else {
                return cut(String(describing: value))
            }
            return "\(name) \(tell(child.value))"
        }
        let members = children.compactMap { child -> String? in
            let text = tell(child.value)
            return ["nothing", "[]"].contains(text) ? nil : "\(child.label ?? "") \(text)"
        }
        let name = words(of: mirror.subjectType)
        return members.isEmpty ? name : "\(name) (\(members.joined(separator: ", ")))"
    }

    // MARK: Values

    private static func text(of message: Message) -> String {
        let signs = [
            message.isDeleted ? "deleted" : nil, message.editedAt == nil ? nil : "edited",
            message.reactions.isEmpty ? nil : "with reactions",
        ].compactMap(\.self)
        let rest = signs.isEmpty ? "" : " (\(signs.joined(separator: ", ")))"
        return "message \(message.id) by \(cut(message.author.rawValue))\(rest)"
    }

    /// The kind alone: what it holds is somebody's message.
    private static func text(of block: ContentBlock) -> String {
        switch block {
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .image: "an image"
        case .video: "a video"
        case .audio: "a sound"
        case .file: "a file"
        case .linkPreview: "a link preview"
        case .quote: "a quote"
        case .callRecord: "a call"
        case .systemNotice: "a notice"
        case .custom: "a block of a kind of its own"
        }
    }

    private static func list(_ texts: [String], of count: Int) -> String {
        let rest = count > longestList ? ["and \(count - longestList) more"] : []
        return "[\((texts.prefix(longestList) + rest).joined(separator: ", "))]"
    }

    private static func cut(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(longestText)
        return String(start).printable + (start.endIndex < text.endIndex ? "…" : "")
    }

    /// A type's name as words: `RoomCheckpoint` is a room checkpoint.
    private static func words(of type: Any.Type) -> String {
        let name = "\(type)".prefix { $0 != "<" }
        return name.reduce(into: "") { text, letter in
            if letter.isUppercase, text.last?.isLowercase == true { text += " " }
            text += letter.lowercased()
        }
    }

    // MARK: Differences

    /// Where two values of one type differ, by the names of their members; `nil` where that cannot
    /// be seen.
    static func difference(_ left: Any, _ right: Any, depth: Int = 0) -> String? {
        let mirrors = (Mirror(reflecting: left), Mirror(reflecting: right))
        guard mirrors.0.children.count == mirrors.1.children.count else { return "its length" }
        for (place, pair) in zip(mirrors.0.children, mirrors.1.children).enumerated() {
            let (one, other) = (pair.0.value, pair.1.value)
            guard String(reflecting: one) != String(reflecting: other) else { continue }
            let isList = mirrors.0.displayStyle == .collection
            let name =
                mirrors.0.displayStyle == .optional || pair.0.label == "rawValue"
                ? nil : pair.0.label ?? (isList ? "element \(place + 1)" : nil)
            let inner = depth < Self.depth ? difference(one, other, depth: depth + 1) : nil
            let names = [inner, name].compactMap(\.self)
            return names.isEmpty ? nil : names.joined(separator: " of ")
        }
        return nil
    }
}
