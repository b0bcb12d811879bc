import RejoinContracts
import RejoinModel
import Testing

@Suite("Storage agrees with a plain array (section 3)")
struct StorageTests {
    @Test("Random arrivals and removals", arguments: 0..<12 as Range<UInt64>)
    func randomEdits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var generator = ModelGenerator(seed: seed)
        var timeline = Timeline(room: RoomID("room"))
        var array: [Message] = []
        var copies: [(Timeline, [Message])] = []
        for step in 0..<1_500 {
            let id = MessageID(UInt128(Int.random(in: 0..<2_000, using: &random)))
            let place = array.firstIndex { $0.id >= id } ?? array.count
            if Int.random(in: 0..<5, using: &random) == 0, !array.isEmpty {
                // A page over a stretch that holds nothing there removes what is held.
                let low = array[max(0, place - 1)].id
                let from = low.rawValue == 0 ? nil : MessageID(low.rawValue - 1)
                let stamp = timeline.makeStamp()
                _ = timeline.merge(
                    HistoryPage(
                        messages: [], from: from, through: low, hasBefore: true, hasAfter: true,
                        tip: nil), stamp: stamp)
                array.removeAll { $0.id == low }
            } else if place == array.count || array[place].id != id {
                let message = generator.message(id)
                let arrival = timeline.receive(message)
                #expect(arrival.outcome == .inserted)
                array.insert(message, at: place)
            }
            if step % 300 == 0 { copies.append((timeline, array)) }
        }
        copies.append((timeline, array))
        for (timeline, array) in copies {
            #if DEBUG
            timeline.checkStorage()
            #endif
            #expect(timeline.messages() == array)
            #expect(timeline.first == array.first && timeline.last == array.last)
            let bound = MessageID(UInt128(Int.random(in: 0..<2_000, using: &random)))
            #expect(
                timeline.messages(before: bound, limit: 9)
                    == Array(array.filter { $0.id < bound }.suffix(9)))
            #expect(
                timeline.messages(after: bound, limit: 9)
                    == Array(array.filter { $0.id > bound }.prefix(9)))
        }
    }

    @Test("Growth at both ends and in the middle keeps the order", arguments: [1, 40, 6_000])
    func growth(count: Int) {
        var generator = ModelGenerator(seed: 1)
        var timeline = Timeline(room: RoomID("room"))
        let middle = UInt128(1_000_000)
        for step in 0..<UInt128(count) {
            for id in [middle + 3 * step, middle - 3 * step - 1, middle / 2 + step] {
                _ = timeline.receive(generator.message(MessageID(id)))
            }
        }
        #if DEBUG
        timeline.checkStorage()
        #endif
        #expect(timeline.count == 3 * count)
        let messages = timeline.messages()
        #expect(messages.map(\.id) == messages.map(\.id).sorted())
        #expect(messages.allSatisfy { timeline[$0.id] == $0 })
    }
}
