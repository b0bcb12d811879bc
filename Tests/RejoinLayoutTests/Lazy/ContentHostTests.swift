import RejoinContracts
import RejoinLayout
import Testing

/// A view that counts what is done to it.
@MainActor
private final class FakeView {
    let name: String
    var children: [FakeView] = []
    var isHidden = false
    var shown: [String] = []
    var constraints = 0
    var hidings = 0

    init(_ name: String) { self.name = name }
}

private struct FakePlatform: ContentPlatform {
    func add(_ view: FakeView, to container: FakeView) { container.children.append(view) }

    func setHidden(_ isHidden: Bool, _ view: FakeView) {
        view.isHidden = isHidden
        view.hidings += 1
    }
}

private typealias Parts = [String: String]

/// Shows one part of a message.
@MainActor
private final class FakeContent: ChatMessageContentable {
    let part: String
    private(set) var made = 0

    init(_ part: String) { self.part = part }

    func content(of data: Parts) -> String? { data[part] }

    func makeView() -> FakeView {
        made += 1
        return FakeView(part)
    }

    func constrain(_ view: FakeView, in container: FakeView) {
        #expect(container.children.last === view, "constrained once it was added")
        view.constraints += 1
    }

    func update(_ view: FakeView, with content: String) {
        #expect(view.constraints == 1, "updated once it was constrained")
        view.shown.append(content)
    }
}

@MainActor
@Suite("Content views are made when first needed, kept and hidden (section 8)")
struct ContentHostTests {
    private let container = FakeView("cell")
    private let text = FakeContent("text")
    private let album = FakeContent("album")
    private let quote = FakeContent("quote")

    private func host() -> ContentHost<FakeView, Parts> {
        ContentHost(container: container, platform: FakePlatform(), kinds: [text, album, quote])
    }

    @Test("A new cell has no view, and a text alone makes one")
    func lazily() {
        let host = host()
        #expect(container.children.isEmpty && host.viewCount == 0)
        host.apply(["text": "hello"])
        #expect(container.children.map(\.name) == ["text"])
        #expect(text.made == 1 && album.made == 0 && quote.made == 0)
    }

    @Test(
        "A view is made once, updated where its content differs, and left alone where it does not")
    func updates() {
        let host = host()
        for text in ["a", "a", "b", "b", "b"] { host.apply(["text": text]) }
        #expect(text.made == 1 && container.children[0].shown == ["a", "b"])
        #expect(container.children[0].constraints == 1 && container.children[0].hidings == 0)
    }

    @Test("What a row does not have is hidden and kept, and costs nothing when it comes again")
    func hiding() {
        let host = host()
        host.apply(["text": "a", "album": "three"])
        let view = container.children[1]
        host.apply(["text": "a"])
        host.apply(["text": "a"])
        #expect(view.isHidden && view.hidings == 1)
        host.apply(["text": "a", "album": "three"])
        #expect(!view.isHidden && view.hidings == 2 && view.shown == ["three"])
        #expect(album.made == 1 && container.children.count == 2)
    }

    @Test("Any combination in any order: each kind is made at most once for a cell")
    func combinations() {
        let host = host()
        var random = SeededGenerator(seed: 1)
        for step in 0..<500 {
            var data: Parts = [:]
            for part in ["text", "album", "quote"] where Bool.random(using: &random) {
                data[part] = "\(step % 3)"
            }
            host.apply(data)
            for view in container.children {
                #expect(view.isHidden == (data[view.name] == nil))
                if let content = data[view.name] { #expect(view.shown.last == content) }
            }
        }
        #expect(text.made == 1 && album.made == 1 && quote.made == 1 && host.viewCount == 3)
    }

    @Test("A cell that is put away hides what it shows")
    func putAway() {
        let host = host()
        host.apply(["text": "a"])
        host.hide()
        #expect(container.children[0].isHidden)
        host.apply(["text": "a"])
        #expect(!container.children[0].isHidden && container.children[0].shown == ["a"])
    }

    @Test("The host does not keep its cell: one that is gone is shown nothing")
    func gone() {
        let host = {
            ContentHost<FakeView, Parts>(
                container: FakeView("cell"), platform: FakePlatform(), kinds: [text])
        }()
        host.apply(["text": "a"])
        #expect(text.made == 0 && host.viewCount == 0)
    }
}
