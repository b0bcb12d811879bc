import RejoinContracts
import RejoinLayout
import Testing

private struct Paragraph: TextAnchorable {
    static let `default` = Paragraph(length: 0, perLine: 1)
    var length: Int
    var perLine: Int
    var size: PixelSize {
        PixelSize(width: Int32(perLine), height: Int32((length + perLine - 1) / perLine) * 3)
    }

    func textPosition(at y: Int32) -> Int? { y < size.height ? Int(y / 3) * perLine : nil }
    func place(ofTextPosition position: Int) -> Int32? { Int32(position / perLine) * 3 }
}

private final class FakeView {}

private struct FakePlatform: ContentPlatform {
    func add(_ view: FakeView, to container: FakeView) {}
    func setHidden(_ isHidden: Bool, _ view: FakeView) {}
}

private struct Caption: ChatMessageContentable {
    func content(of data: [String]) -> String? { data.first }
    func makeView() -> FakeView { FakeView() }
    func constrain(_ view: FakeView, in container: FakeView) {}
    func update(_ view: FakeView, with content: String) {}
}

@Suite("The fakes of the layout keep the contracts that platforms must keep (section 8)")
struct LayoutContractTests {
    @Test("Text positions survive another width")
    func textAnchors() async throws {
        let checks = TextAnchorContract.checks(
            [3, 7, 20].map { width in
                [1, 40, 333].map { Paragraph(length: $0, perLine: width) }
            })
        for check in checks { try await check.run() }
    }

    @Test("Content is made once, and follows from its data")
    @MainActor
    func content() async throws {
        let checks = ContentContract.checks(
            { Caption() }, makeContainer: { FakeView() }, platform: { FakePlatform() },
            with: (["a"], ["b"]), without: [])
        for check in checks { try await check.run() }
    }
}
