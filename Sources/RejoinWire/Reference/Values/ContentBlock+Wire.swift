public import RejoinJSON
public import RejoinModel

/// The names of the kinds of content. A block is an object with its `type` and the members of that
/// type.
private enum BlockType: String {
    case text, image, video, audio, file, linkPreview, quote, call, notice
}

private enum BlockField: String, JSONField {
    case type, text, payload
    case url, name, mediaType, bytes, width, height, duration
    case title, summary, image
    case message, author, excerpt
    case missed
    static let table = JSONFieldTable<Self>()
}

private enum CustomField: String, JSONField {
    case type, payload
    static let table = JSONFieldTable<Self>()
}

// MARK: Reading

extension WireFormat {
    public func readContent(_ reader: inout JSONReader) throws(JSONError) -> [ContentBlock] {
        try reader.array(readBlock)
    }

    private func readBlock(_ reader: inout JSONReader) throws(JSONError) -> ContentBlock {
        let name = try reader.lookingAhead { (reader) throws(JSONError) -> String in
            var fields = JSONFields<CustomField>()
            try reader.beginObject()
            while let field = try reader.nextField(&fields) {
                if field == .type { return try reader.string() }
                try reader.skip()
            }
            throw reader.missing("type")
        }
        guard let type = BlockType(rawValue: name) else {
            return .custom(type: name, payload: try readPayload(&reader))
        }
        let members = try readMembers(&reader)
        switch type {
        case .text: return .text(try members.text(else: reader))
        case .notice: return .systemNotice(try members.text(else: reader))
        case .image: return .image(try members.media(else: reader))
        case .video: return .video(try members.media(else: reader))
        case .audio: return .audio(try members.media(else: reader))
        case .file: return .file(try members.media(else: reader))
        case .linkPreview:
            guard let url = members.url else { throw reader.missing("url") }
            return .linkPreview(
                LinkPreview(
                    url: url, title: members.title, summary: members.summary, image: members.image))
        case .quote:
            guard let message = members.message else { throw reader.missing("message") }
            guard let author = members.author else { throw reader.missing("author") }
            guard let excerpt = members.excerpt else { throw reader.missing("excerpt") }
            return .quote(Quote(message: message, author: author, excerpt: excerpt))
        case .call:
            guard let missed = members.missed else { throw reader.missing("missed") }
            return .callRecord(
                CallRecord(missed: missed, durationMilliseconds: members.duration))
        }
    }

    private func readMembers(_ reader: inout JSONReader) throws(JSONError) -> BlockMembers {
        var members = BlockMembers()
        var fields = JSONFields<BlockField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            guard try !reader.takeNull() else { continue }
            switch field {
            case .type, .payload: try reader.skip()
            case .text: members.text = try reader.string()
            case .url: members.url = try reader.string()
            case .name: members.name = try reader.string()
            case .mediaType: members.mediaType = try reader.string()
            case .bytes: members.bytes = try reader.integer()
            case .width: members.width = try reader.integer()
            case .height: members.height = try reader.integer()
            case .duration: members.duration = try reader.integer()
            case .title: members.title = try reader.string()
            case .summary: members.summary = try reader.string()
            case .image: members.image = try readMembers(&reader).media(else: reader)
            case .message: members.message = try readMessageID(&reader)
            case .author: members.author = try reader.userID()
            case .excerpt: members.excerpt = try reader.string()
            case .missed: members.missed = try reader.bool()
            }
        }
        return members
    }

    /// The payload of a block of an unknown type: its member `payload` where it has nothing else,
    /// and the whole object otherwise, which is what a newer server's block is.
    private func readPayload(_ reader: inout JSONReader) throws(JSONError) -> String {
        let payload = try reader.lookingAhead { (reader) throws(JSONError) -> String? in
            var fields = JSONFields<CustomField>()
            var payload: String?
            try reader.beginObject()
            while let field = try reader.nextField(&fields) {
                switch field {
                case .type: try reader.skip()
                case .payload: payload = try reader.rawJSON()
                }
            }
            return fields.hasUnknown ? nil : payload
        }
        guard let payload else { return try reader.rawJSON() }
        try reader.skip()
        return payload
    }
}

/// The members that a block may have, before its type says which it must have.
private struct BlockMembers {
    var text: String?
    var url: String?
    var name: String?
    var mediaType: String?
    var bytes: Int64?
    var width: Int?
    var height: Int?
    var duration: Int64?
    var title: String?
    var summary: String?
    var image: Media?
    var message: MessageID?
    var author: UserID?
    var excerpt: String?
    var missed: Bool?

    func text(else reader: borrowing JSONReader) throws(JSONError) -> String {
        guard let text else { throw reader.missing("text") }
        return text
    }

    func media(else reader: borrowing JSONReader) throws(JSONError) -> Media {
        guard let url else { throw reader.missing("url") }
        return Media(
            url: url, name: name, type: mediaType, byteCount: bytes, width: width, height: height,
            durationMilliseconds: duration)
    }
}

// MARK: Writing

extension WireFormat {
    public func write(_ content: [ContentBlock], to writer: inout JSONWriter) {
        writer.beginArray()
        for block in content { write(block, to: &writer) }
        writer.endArray()
    }

    private func write(_ block: ContentBlock, to writer: inout JSONWriter) {
        switch block {
        case .text(let text): write(.text, text: text, to: &writer)
        case .systemNotice(let text): write(.notice, text: text, to: &writer)
        case .image(let media): write(media, type: .image, to: &writer)
        case .video(let media): write(media, type: .video, to: &writer)
        case .audio(let media): write(media, type: .audio, to: &writer)
        case .file(let media): write(media, type: .file, to: &writer)
        case .linkPreview(let preview):
            writer.beginObject()
            writer.member("type", BlockType.linkPreview.rawValue)
            writer.member("url", preview.url)
            writer.member("title", preview.title)
            writer.member("summary", preview.summary)
            if let image = preview.image {
                writer.key("image")
                write(image, type: nil, to: &writer)
            }
            writer.endObject()
        case .quote(let quote):
            writer.beginObject()
            writer.member("type", BlockType.quote.rawValue)
            writer.key("message")
            write(quote.message, to: &writer)
            writer.member("author", quote.author.rawValue)
            writer.member("excerpt", quote.excerpt)
            writer.endObject()
        case .callRecord(let call):
            writer.beginObject()
            writer.member("type", BlockType.call.rawValue)
            writer.member("missed", call.missed)
            writer.member("duration", call.durationMilliseconds)
            writer.endObject()
        case .custom(let type, let payload):
            write(payload, ofCustom: type, to: &writer)
        }
    }

    private func write(_ type: BlockType, text: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", type.rawValue)
        writer.member("text", text)
        writer.endObject()
    }

    private func write(_ media: Media, type: BlockType?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", type?.rawValue)
        writer.member("url", media.url)
        writer.member("name", media.name)
        writer.member("mediaType", media.type)
        writer.member("bytes", media.byteCount)
        writer.member("width", media.width)
        writer.member("height", media.height)
        writer.member("duration", media.durationMilliseconds)
        writer.endObject()
    }

    /// Writes a payload so that ``readPayload(_:)`` reads it back: a whole block as it came, any
    /// other JSON as the member `payload`, and what is no JSON as a string there, so that a host's
    /// mistake never breaks the message around it.
    private func write(_ payload: String, ofCustom type: String, to writer: inout JSONWriter) {
        let shape = PayloadShape(of: payload, type: type, limits: limits)
        guard shape != .wholeBlock else { return writer.raw(payload) }
        writer.beginObject()
        writer.member("type", type)
        writer.key("payload")
        if shape == .value { writer.raw(payload) } else { writer.string(payload) }
        writer.endObject()
    }
}

/// What the payload of a custom block is.
private enum PayloadShape {
    case wholeBlock, value, noJSON

    init(of payload: String, type: String, limits: JSONLimits) {
        do throws(JSONError) {
            let name = try JSONReader.read(ContiguousArray(payload.utf8), limits: limits) {
                (reader) throws(JSONError) -> String? in
                guard try reader.peek() == .object else {
                    try reader.skip()
                    return nil
                }
                var fields = JSONFields<CustomField>()
                var name: String?
                try reader.beginObject()
                while let field = try reader.nextField(&fields) {
                    if field == .type, try reader.peek() == .string {
                        name = try reader.string()
                    } else {
                        try reader.skip()
                    }
                }
                return fields.hasUnknown ? name : nil
            }
            let isWhole = name.map { $0.utf8.elementsEqual(type.utf8) } ?? false
            self = isWhole ? .wholeBlock : .value
        } catch {
            self = .noJSON
        }
    }
}
