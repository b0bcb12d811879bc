#if os(Linux)
import RejoinModel
import RejoinServer
import RejoinContracts
import Testing

@Suite("Stored content")
struct StoredContentTests {
    private let media = Media(
        url: "https://example.org/a.png", name: "a", type: "image/png", byteCount: 1 << 40,
        width: 3, height: .max, durationMilliseconds: -1)

    private var everything: [ContentBlock] {
        [
            .text(""), .text("안녕 👋 \u{0} \n"), .image(media), .video(Media(url: "")),
            .audio(media), .file(Media(url: "f", width: 0)),
            .linkPreview(LinkPreview(url: "u", title: "t", summary: nil, image: media)),
            .linkPreview(LinkPreview(url: "u")),
            .quote(Quote(message: MessageID(.max), author: UserID("u"), excerpt: "e")),
            .callRecord(CallRecord(missed: true, durationMilliseconds: 5)),
            .callRecord(CallRecord(missed: false)), .systemNotice("n"),
            .custom(type: "poll", payload: #"{"a":[1,2]}"#),
        ]
    }

    @Test("what is written is read, block by block and all together")
    func roundTrip() {
        for content in [[]] + everything.map({ [$0] }) + [everything] {
            let bytes = StoredContent.encode(content)
            #expect(bytes.withUnsafeBytes { StoredContent.content($0) } == content)
        }
        let reactions = [
            Reaction(emoji: "👍", users: [UserID("a"), UserID("b")]),
            Reaction(emoji: "e\u{301}", users: []),
        ]
        let bytes = StoredContent.encode(reactions)
        #expect(bytes.withUnsafeBytes { StoredContent.reactions($0) } == reactions)
        #expect(StoredContent.reactions(UnsafeRawBufferPointer(start: nil, count: 0)) == [])
    }

    @Test("a damaged file gives nil or other content, never a trap")
    func damage() {
        let bytes = StoredContent.encode(everything)
        for end in bytes.indices {
            bytes[..<end].withUnsafeBytes {
                _ = StoredContent.content($0)
                _ = StoredContent.reactions($0)
            }
        }
        var random = SeededGenerator(seed: 1)
        for _ in 0..<4_000 {
            var changed = bytes
            for _ in 0..<3 {
                let index = Int.random(in: changed.indices, using: &random)
                changed[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            changed.withUnsafeBytes {
                _ = StoredContent.content($0)
                _ = StoredContent.reactions($0)
            }
        }
    }
}
#endif
