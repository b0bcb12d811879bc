#if os(Linux)
package import RejoinModel

/// The form in which the database keeps content and reactions: tagged, length-prefixed fields.
///
/// It belongs to no wire format, so that the same database can be served in any of them, and
/// it is read without a parser: a page of 200 messages costs no more than its strings.
package enum StoredContent {
    package static func encode(_ content: [ContentBlock]) -> ContiguousArray<UInt8> {
        var writer = FieldWriter()
        for block in content { writer.append(block) }
        return writer.bytes
    }

    /// `nil` where the bytes are not what `encode` made: the file was damaged.
    package static func content(_ bytes: UnsafeRawBufferPointer) -> [ContentBlock]? {
        var reader = FieldReader(bytes: bytes)
        var content: [ContentBlock] = []
        while !reader.isAtEnd {
            guard let block = reader.block() else { return nil }
            content.append(block)
        }
        return content
    }

    package static func encode(_ reactions: [Reaction]) -> ContiguousArray<UInt8> {
        var writer = FieldWriter()
        for reaction in reactions {
            writer.append(reaction.emoji)
            writer.append(count: reaction.users.count)
            for user in reaction.users { writer.append(user.rawValue) }
        }
        return writer.bytes
    }

    /// `nil` where the bytes are not what `encode` made: the file was damaged.
    package static func reactions(_ bytes: UnsafeRawBufferPointer) -> [Reaction]? {
        guard !bytes.isEmpty else { return [] }
        var reader = FieldReader(bytes: bytes)
        var reactions: [Reaction] = []
        while !reader.isAtEnd {
            guard let emoji = reader.string(), let count = reader.count() else { return nil }
            var users: [UserID] = []
            for _ in 0..<count {
                guard let user = reader.string() else { return nil }
                users.append(UserID(user))
            }
            reactions.append(Reaction(emoji: emoji, users: users))
        }
        return reactions
    }
}

/// The kinds of block, as they are stored. Numbers are never used again.
private enum BlockTag: UInt8 {
    case text = 1
    case image = 2
    case video = 3
    case audio = 4
    case file = 5
    case linkPreview = 6
    case quote = 7
    case callRecord = 8
    case systemNotice = 9
    case custom = 10
}

private struct FieldWriter {
    var bytes: ContiguousArray<UInt8> = []

    mutating func append(_ block: ContentBlock) {
        switch block {
        case .text(let text): append(.text, text)
        case .image(let media): append(.image, media)
        case .video(let media): append(.video, media)
        case .audio(let media): append(.audio, media)
        case .file(let media): append(.file, media)
        case .linkPreview(let preview):
            bytes.append(BlockTag.linkPreview.rawValue)
            append(preview.url)
            append(optional: preview.title)
            append(optional: preview.summary)
            append(isPresent: preview.image != nil)
            if let image = preview.image { append(image) }
        case .quote(let quote):
            bytes.append(BlockTag.quote.rawValue)
            append(integer: quote.message.rawValue)
            append(quote.author.rawValue)
            append(quote.excerpt)
        case .callRecord(let call):
            bytes.append(BlockTag.callRecord.rawValue)
            append(isPresent: call.missed)
            append(optional: call.durationMilliseconds)
        case .systemNotice(let notice): append(.systemNotice, notice)
        case .custom(let type, let payload):
            append(.custom, type)
            append(payload)
        }
    }

    private mutating func append(_ tag: BlockTag, _ text: String) {
        bytes.append(tag.rawValue)
        append(text)
    }

    private mutating func append(_ tag: BlockTag, _ media: Media) {
        bytes.append(tag.rawValue)
        append(media)
    }

    private mutating func append(_ media: Media) {
        append(media.url)
        append(optional: media.name)
        append(optional: media.type)
        append(optional: media.byteCount)
        append(optional: media.width.map(Int64.init))
        append(optional: media.height.map(Int64.init))
        append(optional: media.durationMilliseconds)
    }

    mutating func append(_ text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(count: Int) {
        append(integer: UInt64(count))
    }

    private mutating func append(isPresent: Bool) {
        bytes.append(isPresent ? 1 : 0)
    }

    private mutating func append(optional text: String?) {
        append(isPresent: text != nil)
        if let text { append(text) }
    }

    private mutating func append(optional number: Int64?) {
        append(isPresent: number != nil)
        if let number { append(integer: UInt64(bitPattern: number)) }
    }

    /// LEB128: seven bits a byte, the low ones first.
    private mutating func append(integer: some UnsignedInteger & FixedWidthInteger) {
        var rest = integer
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

private struct FieldReader {
    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func block() -> ContentBlock? {
        guard let tag = byte().flatMap(BlockTag.init(rawValue:)) else { return nil }
        switch tag {
        case .text: return string().map { .text($0) }
        case .image: return media().map { .image($0) }
        case .video: return media().map { .video($0) }
        case .audio: return media().map { .audio($0) }
        case .file: return media().map { .file($0) }
        case .linkPreview:
            guard let url = string(), let title = optional({ $0.string() }),
                let summary = optional({ $0.string() }), let image = optional({ $0.media() })
            else { return nil }
            return .linkPreview(
                LinkPreview(url: url, title: title, summary: summary, image: image))
        case .quote:
            guard let message: UInt128 = integer(), let author = string(),
                let excerpt = string()
            else { return nil }
            return .quote(
                Quote(
                    message: MessageID(message), author: UserID(author), excerpt: excerpt))
        case .callRecord:
            guard let missed = byte(), let duration = optional({ $0.signed() }) else {
                return nil
            }
            return .callRecord(
                CallRecord(missed: missed != 0, durationMilliseconds: duration))
        case .systemNotice: return string().map { .systemNotice($0) }
        case .custom:
            guard let type = string(), let payload = string() else { return nil }
            return .custom(type: type, payload: payload)
        }
    }

    private mutating func media() -> Media? {
        guard let url = string(), let name = optional({ $0.string() }),
            let type = optional({ $0.string() }), let byteCount = optional({ $0.signed() }),
            let width = optional({ $0.signed() }), let height = optional({ $0.signed() }),
            let duration = optional({ $0.signed() })
        else { return nil }
        return Media(
            url: url, name: name, type: type, byteCount: byteCount,
            width: width.map { Int(clamping: $0) }, height: height.map { Int(clamping: $0) },
            durationMilliseconds: duration)
    }

    mutating func string() -> String? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func count() -> Int? {
        guard let value: UInt64 = integer() else { return nil }
        return Int(exactly: value)
    }

    private mutating func signed() -> Int64? {
        guard let value: UInt64 = integer() else { return nil }
        return Int64(bitPattern: value)
    }

    /// The outer optional is `nil` for damage, the inner one for an absent value.
    private mutating func optional<Value>(_ read: (inout FieldReader) -> Value?) -> Value?? {
        guard let isPresent = byte() else { return nil }
        guard isPresent != 0 else { return .some(nil) }
        return read(&self).map { .some($0) }
    }

    private mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func integer<Number: UnsignedInteger & FixedWidthInteger>() -> Number? {
        var value: Number = 0
        var shift = 0
        while let next = byte() {
            guard shift < Number.bitWidth else { return nil }
            value |= Number(next & 0x7F) << shift
            if next & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }
}
#endif
