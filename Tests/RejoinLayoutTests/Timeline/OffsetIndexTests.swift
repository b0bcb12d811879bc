import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

@Suite("The offset index equals a plain array (section 8; invariant 1)")
struct OffsetIndexTests {
    private struct Naive {
        var rows: [(height: Int32, kind: TimelineRowKind)] = []

        func offset(_ row: Int) -> Int64 { rows[..<row].reduce(0) { $0 + Int64($1.height) } }

        func row(at offset: Int64) -> Int? {
            guard offset >= 0 else { return nil }
            var end: Int64 = 0
            for (row, entry) in rows.enumerated() {
                end += Int64(entry.height)
                if end > offset { return row }
            }
            return nil
        }
    }

    @Test("Random edits in chunks of every size", arguments: 0..<12)
    func edits(seed: Int) throws {
        let shapes = [
            TreeShape(leaf: 1, page: 1), .init(leaf: 2, page: 2), .init(leaf: 4, page: 3),
        ]
        var random = SeededGenerator(seed: UInt64(seed))
        var index = OffsetIndex(shape: shapes[seed % shapes.count])
        var naive = Naive()
        var copies: [(OffsetIndex, Naive)] = []
        for step in 0..<1_500 {
            let place = Int.random(in: 0...naive.rows.count, using: &random)
            let shrinks = naive.rows.count > 150
            switch Int.random(in: 0..<(shrinks ? 3 : 6), using: &random) {
            case 0, 1:
                let end = min(naive.rows.count, place + Int.random(in: 0...20, using: &random))
                index.remove(place..<end)
                naive.rows.removeSubrange(place..<end)
            case 2:
                guard place < naive.rows.count else { continue }
                let height = Int32.random(in: 0...90, using: &random)
                index.resize(place, to: height)
                naive.rows[place].height = height
            default:
                let count = Int.random(in: 0...9, using: &random)
                let new = (0..<count).map { _ in
                    (
                        height: Int32.random(in: 0...90, using: &random),
                        kind: [TimelineRowKind.message, .message, .header, .other].randomElement(
                            using: &random) ?? .other
                    )
                }
                let end = [0, place, naive.rows.count].randomElement(using: &random) ?? 0
                index.insert(contentsOf: new, at: end)
                naive.rows.insert(contentsOf: new, at: end)
            }
            try check(index, naive, &random)
            if step % 100 == 0 { copies.append((index, naive)) }
        }
        // Copies are values: what came later did not reach them.
        for (index, naive) in copies {
            try #require(index.count == naive.rows.count)
            for row in naive.rows.indices {
                #expect(index.height(of: row) == naive.rows[row].height)
            }
        }
    }

    private func check(
        _ index: OffsetIndex, _ naive: Naive, _ random: inout SeededGenerator
    ) throws {
        let rows = naive.rows
        try #require(index.count == rows.count)
        let total = naive.offset(rows.count)
        #expect(index.height == total)
        #expect(index.messageCount == rows.count { $0.kind == .message })
        #expect(index.headerCount == rows.count { $0.kind == .header })
        let row = Int.random(in: 0...rows.count, using: &random)
        #expect(index.offset(of: row) == naive.offset(row))
        #expect(index.messages(before: row) == rows[..<row].count { $0.kind == .message })
        if row < rows.count {
            #expect(index.height(of: row) == rows[row].height)
            #expect(index.kind(of: row) == rows[row].kind)
            #expect(index.header(through: row) == rows[...row].lastIndex { $0.kind == .header })
            #expect(
                index.header(after: row) == rows[(row + 1)...].firstIndex { $0.kind == .header })
        }
        let place = Int64.random(in: -50...total + 50, using: &random)
        let end = place + Int64.random(in: 1...300, using: &random)
        #expect(index.row(at: place) == naive.row(at: place))
        let seen = rows.indices.filter { row in
            let start = naive.offset(row)
            return rows[row].height > 0 && start < end && start + Int64(rows[row].height) > place
        }
        let found = index.rows(in: place..<end)
        #expect(found.first == seen.first)
        #expect(found.last == seen.last)
    }

    @Test("A million rows add up exactly, and are found at both ends of each")
    func million() throws {
        let index = {
            var index = OffsetIndex()
            index.insert(
                contentsOf: (0..<1_000_000).lazy.map { (height: Int32($0 % 97), kind: .message) },
                at: 0)
            return index
        }()
        let total = (0..<1_000_000).reduce(into: Int64(0)) { $0 += Int64($1 % 97) }
        #expect(index.height == total)
        #expect(index.row(at: total - 1) == 999_999)
        #expect(index.row(at: total) == nil)
        for row in stride(from: 1, to: 1_000_000, by: 99_991) {
            let extent = index.extent(of: row)
            #expect(index.row(at: extent.lowerBound) == row)
            #expect(index.row(at: extent.upperBound - 1) == row)
        }
    }

    @Test("Heights are kept within what four bytes hold beside the kind")
    func limits() {
        var index = OffsetIndex()
        index.insert(
            contentsOf: [(height: -5, kind: .header), (height: .max, kind: .other)], at: 0)
        #expect(index.height(of: 0) == 0)
        #expect(index.height(of: 1) == OffsetIndex.maximumHeight)
        #expect(index.kind(of: 1) == .other)
    }
}
