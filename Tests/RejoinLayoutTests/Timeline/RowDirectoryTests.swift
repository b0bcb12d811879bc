import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import Testing

@Suite("A row is found by its identity without renumbering (section 8)")
struct RowDirectoryTests {
    @Test("Messages in the server's order, and rows that no order finds", arguments: 0..<6)
    func inOrder(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // Some messages are known by their key: no order tells where they stand.
        func id(_ number: Int) -> TimelineRowID {
            switch number % 7 {
            case 0: .date(DayID(start: WallTime(milliseconds: Int64(number))))
            case 1:
                .message(
                    .local(
                        ClientMessageID(
                            UUID(
                                uuid: (
                                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 16),
                                    UInt8(number >> 8 & 255), UInt8(number & 255)
                                )))))
            default: TestList.message(number)
            }
        }
        var numbers = Array(5_000..<5_040)
        var list = TestList(numbers.map { NaiveRow(id: id($0), height: 10) })
        for step in 0..<300 {
            let gone = numbers.indices.filter { _ in Int.random(in: 0..<20, using: &random) == 0 }
            var new = Set<Int>()
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                // Mostly at the ends, as in a chat.
                switch Int.random(in: 0..<3, using: &random) {
                case 0: new.insert((numbers.first ?? 5_000) - 1 - new.count)
                case 1: new.insert((numbers.last ?? 5_000) + 1 + new.count)
                default: new.insert(Int.random(in: 4_000..<6_000, using: &random))
                }
            }
            new.subtract(numbers)
            for place in gone.reversed() { numbers.remove(at: place) }
            numbers = (numbers + new).sorted()
            let come = numbers.indices.filter { new.contains(numbers[$0]) }
            list.change(
                removing: gone,
                inserting: come.map { ($0, NaiveRow(id: id(numbers[$0]), height: 10)) })
            guard step % 5 == 0 else { continue }
            for (place, number) in numbers.enumerated() {
                try #require(list.layout.index(of: id(number)) == place)
            }
            for number in stride(from: 3_990, to: 6_010, by: 37) where !numbers.contains(number) {
                try #require(list.layout.index(of: id(number)) == nil)
            }
        }
    }

    @Test("A host's own order is followed too")
    func otherOrder() {
        var list = TestList(TestList.messages(1...20))
        list.change(inserting: [(5, TestList.messages(99...99)[0])])
        #expect(list.layout.index(of: TestList.message(99)) == 5)
        #expect(list.layout.index(of: TestList.message(20)) == 20)
        list.prepend(TestList.messages(50...52))
        list.change(removing: [8])
        #expect(list.layout.index(of: TestList.message(99)) == nil)
        #expect(list.layout.index(of: TestList.message(20)) == 22)
        #expect(list.layout.index(of: TestList.message(51)) == 1)
        #expect(list.layout.index(of: TestList.message(7)) == 9)
    }
}
