#if canImport(UIKit)
import RejoinLayout
import RejoinModel
import RejoinUIKit
import Testing
import UIKit

/// What the views promise the cores, in a real collection view: waits for a Mac with a simulator.
@MainActor
@Suite("The collection layout in a collection view")
struct TimelineCollectionLayoutTests {
    /// Rows that are all as high as their number says.
    struct Height: LayoutDatable, Equatable {
        static let `default` = Height(size: .zero)
        var size: PixelSize
    }

    final class Source: NSObject, UICollectionViewDataSource {
        let layout: TimelineCollectionLayout<Height>
        let registration = UICollectionView.CellRegistration<ContentCell<Height>, Int> {
            cell, _, _ in
            cell.use { [] }
        }

        init(_ layout: TimelineCollectionLayout<Height>) { self.layout = layout }

        func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
            layout.frame.count
        }

        func collectionView(
            _ view: UICollectionView, cellForItemAt path: IndexPath
        ) -> UICollectionViewCell {
            view.dequeueConfiguredReusableCell(using: registration, for: path, item: path.item)
        }
    }

    private func frame(_ days: Int) -> TimelineFrame<Height> {
        let rows = (0..<days).map { day in
            TimelineRow(id: .gap(through: MessageID(UInt128(day + 1))), content: .unreadDivider)
        }
        return TimelineFrame(RowList(rows), version: SnapshotVersion()) { _ in
            Height(size: PixelSize(width: 300, height: 50))
        }
    }

    @Test(
        "The content's size and each row's frame are the frame's, in points", arguments: [1, 2, 3])
    func frames(_ factor: Int32) throws {
        let layout = TimelineCollectionLayout<Height>(scale: PixelScale(factor))
        let source = Source(layout)
        let view = TimelineCollectionView(
            frame: CGRect(x: 0, y: 0, width: 300, height: 600), collectionViewLayout: layout)
        view.dataSource = source
        layout.open(frame(100), at: .newest)
        #expect(layout.collectionViewContentSize.height == 5000 / CGFloat(factor))
        let bottom = view.contentOffset.y + view.bounds.height - view.adjustedContentInset.bottom
        #expect(abs(bottom - max(600, 5000 / CGFloat(factor))) < 0.01)
        for row in 0..<100 {
            let attributes = try #require(
                layout.layoutAttributesForItem(at: IndexPath(item: row, section: 0)))
            #expect(attributes.frame.height == 50 / CGFloat(factor))
        }
    }

    @Test("Attributes are equal where the data are, and copies carry them")
    func attributes() {
        let path = IndexPath(item: 0, section: 0)
        let one = TimelineLayoutAttributes<Height>(forCellWith: path)
        one.data = Height(size: PixelSize(width: 1, height: 2))
        let copy = one.copy() as? TimelineLayoutAttributes<Height>
        #expect(copy?.data == one.data)
        #expect(one.isEqual(copy))
        copy?.data = .default
        #expect(!one.isEqual(copy))
    }

    @Test("A cell is never asked for its size")
    func fitting() {
        let cell = ContentCell<Height>(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let attributes = TimelineLayoutAttributes<Height>(
            forCellWith: IndexPath(item: 0, section: 0))
        #expect(cell.preferredLayoutAttributesFitting(attributes) === attributes)
    }
}
#else
import Testing

@Suite("The collection layout in a collection view")
struct TimelineCollectionLayoutTests {
    @Test(
        "Frames, attributes and cells",
        .disabled(
            """
            NOT RUN: there is no UIKit here. The views are type-checked (make check-apple); run \
            them on a Mac with the xcodebuild command of the README
            """))
    func views() {}
}
#endif
