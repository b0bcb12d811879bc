import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

/// What has nothing to show draws no shape: a peer may send anything.
@Suite("No shape is empty")
struct EmptyContentTests {
    static let blanks = [
        "", " ", "\n\t", "\u{0}\u{1B}", "\u{200B}\u{200D}", "\u{AD}", "\u{202E}", "\u{3164}",
        "\u{3000}\u{A0}", "\u{FEFF}", "\u{2800}",
    ]

    private func texts(_ data: LayoutData) -> [String] {
        data.parts.compactMap { $0.text?.text.text }
    }

    private func measure(
        _ content: [ContentBlock], author: String = "ann", name: String? = nil,
        reactions: [Reaction] = []
    ) -> LayoutData {
        let measurer = RowMeasurerTests.measurer()
        let user = UserID(author)
        if let name { measurer.members = [user: Member(id: user, name: name)] }
        return measurer.measure(
            RowMeasurerTests.row(1, content, author: author, reactions: reactions))
    }

    @Test("A message without content shows the notice of what cannot be shown")
    func noContent() {
        let unsupported = LayoutStrings().unsupported
        #expect(texts(measure([])).contains(unsupported))
        for blank in Self.blanks {
            for content: [ContentBlock] in [
                [.text(blank)], [.systemNotice(blank)], [.text(blank), .systemNotice(blank)],
            ] {
                let data = measure(content)
                #expect(texts(data).contains(unsupported), "\(blank.debugDescription)")
                #expect(!texts(data).contains(blank), "\(blank.debugDescription)")
            }
            let beside = texts(measure([.text(blank), .text("hello"), .systemNotice(blank)]))
            #expect(beside.contains("hello") && !beside.contains(blank))
            #expect(!beside.contains(unsupported))
        }
    }

    @Test("A reaction without an emoji or a user is left out")
    func reactions() {
        let (ann, ben) = (UserID("ann"), UserID("ben"))
        for blank in Self.blanks {
            let data = measure(
                [.text("hello")],
                reactions: [
                    Reaction(emoji: blank, users: [ann, ben]), Reaction(emoji: "👍", users: []),
                ])
            #expect(
                data == measure([.text("hello")]) || data.size == measure([.text("hello")]).size)
            #expect(!data.parts.contains { if case .chip = $0.kind { true } else { false } })
            let one = measure(
                [.text("hello")],
                reactions: [
                    Reaction(emoji: blank, users: [ann]), Reaction(emoji: "🎉", users: [ben]),
                ]
            )
            #expect(one.parts.count { if case .chip = $0.kind { true } else { false } } == 1)
        }
    }

    @Test("A name that shows nothing is replaced by the ID, in the header, the avatar and a quote")
    func names() {
        for blank in Self.blanks {
            let quote = Quote(message: MessageID(1), author: UserID("zoe"), excerpt: "hi")
            let shown = texts(measure([.quote(quote), .text("a")], author: "zoe", name: blank))
            #expect(shown.filter { $0 == "zoe" }.count == 2, "\(blank.debugDescription)")
            #expect(shown.contains("Z"))
            #expect(texts(measure([.text("a")], author: blank, name: blank)).contains("Unknown"))
        }
        #expect(texts(measure([.text("a")], name: "\u{200B} bo")).contains("B"))
    }

    @Test("Cards whose words show nothing have the module's own")
    func cards() {
        for blank in Self.blanks {
            let media = Media(url: "https://a.example/f", name: blank, type: blank)
            let strings = LayoutStrings()
            #expect(texts(measure([.file(media)])).contains(strings.file))
            #expect(texts(measure([.audio(media)])).contains(strings.audio))
            let link = LinkPreview(url: blank, title: blank, summary: blank)
            #expect(texts(measure([.linkPreview(link)])).contains(strings.link))
        }
    }
}
