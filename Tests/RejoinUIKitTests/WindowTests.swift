import RejoinContracts
import RejoinLayout
import RejoinUIKit
import Testing

/// "Attributes pooled for the visible range" (DESIGN section 8): the same rows get the same objects,
/// and none that was handed out is changed.
@Suite("The window of rows")
struct RowWindowTests {
    private final class Made {
        let row: Int
        init(_ row: Int) { self.row = row }
    }

    @Test("What stays in the range is the same object, what comes in is made once")
    func kept() {
        var window = RowWindow<Made>()
        var made: [Int] = []
        func elements(_ range: Range<Int>) -> [Made] {
            window.elements(for: range) {
                made.append($0)
                return Made($0)
            }
        }
        let first = elements(3..<6)
        #expect(made == [3, 4, 5])
        let again = elements(3..<6)
        #expect(zip(again, first).allSatisfy { $0 === $1 })
        let second = elements(4..<8)
        #expect(made == [3, 4, 5, 6, 7])
        #expect(second[0] === first[1] && second[1] === first[2])
        #expect(window.element(for: 4) === first[1])
        #expect(window.element(for: 3) == nil)
        _ = elements(0..<0)
        #expect(window.element(for: 4) == nil)
    }

    @Test("Any walk answers the rows that were asked for; after a change all are made anew")
    func walk() {
        var random = SeededGenerator(seed: 8)
        var window = RowWindow<Made>()
        for step in 0..<2000 {
            let start = Int.random(in: 0..<60, using: &random)
            let range = start..<start + Int.random(in: 0...20, using: &random)
            #expect(window.elements(for: range, make: Made.init).map(\.row) == Array(range))
            guard step % 50 == 49 else { continue }
            window.removeAll()
            var count = 0
            _ = window.elements(for: range) {
                count += 1
                return Made($0)
            }
            #expect(count == range.count)
        }
    }
}

/// A tall text is drawn in tiles, of which there are as many as the screen needs, however long the
/// text is (DESIGN section 8: "in tiles, off the main thread").
@Suite("The window of tiles")
struct TileWindowTests {
    private let tall = TileWindow(area: PixelRect(x: -3, y: -20, width: 300, height: 120_000))

    @Test("The tiles cover the area without gap or overlap")
    func partition() {
        for height: Int32 in [0, 1, 511, 512, 513, 120_000] {
            let tiles = TileWindow(area: PixelRect(x: 4, y: -9, width: 30, height: height))
            var edge: Int32 = -9
            for tile in 0..<tiles.count {
                let frame = tiles.frame(of: tile)
                #expect(frame.y == edge && frame.height > 0)
                #expect(frame.height <= TileWindow.tileHeight && frame.x == 4 && frame.width == 30)
                edge = frame.maxY
            }
            #expect(edge == -9 + height)
        }
    }

    @Test("What is seen is drawn, and what is drawn is kept for a while")
    func seen() {
        for top in stride(from: Int64(-5000), to: 130_000, by: 333) {
            let seen = top..<top + 2500
            let wanted = tall.wanted(seen)
            let kept = tall.kept(seen)
            #expect(kept.clamped(to: wanted) == wanted)
            for tile in 0..<tall.count {
                let frame = tall.frame(of: tile)
                let isSeen = Int64(frame.y) < seen.upperBound && Int64(frame.maxY) > seen.lowerBound
                if isSeen { #expect(wanted.contains(tile)) }
            }
        }
    }

    @Test("The number of tiles follows from the screen, not from the text")
    func bounded() {
        #expect(tall.count > 200)
        for top in stride(from: Int64(-5000), to: 130_000, by: 333) {
            let most =
                2500 / Int(TileWindow.tileHeight) + 2
                + 2 * (TileWindow.margin + TileWindow.slack)
            #expect(tall.kept(top..<top + 2500).count <= most)
        }
        #expect(tall.wanted(Int64.max / 2..<Int64.max / 2 + 10).isEmpty)
        #expect(tall.wanted(0..<0).isEmpty)
        #expect(TileWindow(area: .zero).wanted(0..<100).isEmpty)
    }
}
