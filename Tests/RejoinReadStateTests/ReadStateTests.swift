import RejoinContracts
import RejoinModel
import RejoinReadState
import Testing

@Suite("P4, DESIGN 6: the read state is a lattice")
struct ReadStateTests {
    /// Few versions and positions, so that ties are common.
    static func mark(_ random: inout SeededGenerator) -> ReadMark {
        let position = UInt128.random(in: 0...5, using: &random)
        return ReadMark(
            version: .random(in: 0...2, using: &random),
            position: position == 0 ? nil : MessageID(position))
    }

    static func join(_ left: ReadMark, _ right: ReadMark) -> ReadMark {
        var state = ReadState(left)
        state.merge(right)
        return state.mark
    }

    @Test("Joining is commutative, associative and idempotent, and never goes back")
    func laws() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let a = Self.mark(&random)
            let b = Self.mark(&random)
            let c = Self.mark(&random)
            #expect(Self.join(a, b) == Self.join(b, a))
            #expect(Self.join(Self.join(a, b), c) == Self.join(a, Self.join(b, c)))
            #expect(Self.join(a, a) == a)
            #expect(Self.join(a, b) >= a && Self.join(a, b) >= b)
        }
    }

    @Test("Devices that saw the same marks agree, in any order and with repeats (rows 73, 78)")
    func convergence() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let marks = (0..<8).map { _ in Self.mark(&random) }
            let states = (0..<3).map { _ -> ReadState in
                var state = ReadState()
                let repeats = (0..<4).compactMap { _ in marks.randomElement(using: &random) }
                for mark in (marks + repeats).shuffled(using: &random) { state.merge(mark) }
                return state
            }
            #expect(Set(states).count == 1)
            #expect(states[0].mark == marks.max())
        }
    }

    @Test("An advance keeps the version and never goes back (element-ios#1293)")
    func advance() {
        var state = ReadState(ReadMark(version: 3, position: MessageID(10)))
        #expect(state.advance(to: MessageID(4), last: MessageID(20)) == false)
        #expect(state.advance(to: MessageID(12), last: MessageID(20)) == true)
        #expect(state.mark == ReadMark(version: 3, position: MessageID(12)))
    }

    @Test("An advance is clamped to the room's last message")
    func clamp() {
        var state = ReadState()
        #expect(state.advance(to: MessageID(.max), last: nil) == false)
        #expect(state.advance(to: MessageID(.max), last: MessageID(7)) == true)
        #expect(state.mark.position == MessageID(7))
    }

    @Test("Marking unread takes the next version, which is above every advance of this one")
    func unread() throws {
        let state = ReadState(ReadMark(version: 3, position: MessageID(10)))
        let unread = try #require(state.markedUnread(after: MessageID(4)))
        #expect(unread == ReadMark(version: 4, position: MessageID(4)))
        #expect(ReadMark(version: 3, position: MessageID(.max)) < unread)
        #expect(
            ReadState(ReadMark(version: .max, position: nil)).markedUnread(after: nil) == nil)
    }
}
