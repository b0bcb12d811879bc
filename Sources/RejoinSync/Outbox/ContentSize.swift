import RejoinModel

extension Outbox {
    /// What a message's content takes, in bytes of UTF-8 with a constant for each block's frame:
    /// near enough to its wire form to refuse here what a server would refuse there.
    ///
    /// - Complexity: O(content).
    func byteCount(of content: [ContentBlock]) -> Int {
        content.reduce(0) { $0 + 32 + byteCount(of: $1) }
    }

    private func byteCount(of block: ContentBlock) -> Int {
        switch block {
        case .text(let text), .systemNotice(let text):
            text.utf8.count
        case .image(let media), .video(let media), .audio(let media), .file(let media):
            byteCount(of: media)
        case .linkPreview(let preview):
            byteCount(of: [preview.url, preview.title, preview.summary])
                + (preview.image.map { byteCount(of: $0) } ?? 0)
        case .quote(let quote):
            byteCount(of: [quote.author.rawValue, quote.excerpt])
        case .callRecord:
            0
        case .custom(let type, let payload):
            byteCount(of: [type, payload])
        }
    }

    private func byteCount(of media: Media) -> Int {
        byteCount(of: [media.url, media.name, media.type])
    }

    private func byteCount(of texts: [String?]) -> Int {
        texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
