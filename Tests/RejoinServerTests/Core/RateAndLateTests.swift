#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinTime
import Testing

@Suite("The rate limit (promise P7)")
struct RateLimiterTests {
    private let ann = UserID("ann")

    @Test("a burst passes, then as many as the rate says, and the wait that is told is right")
    func bucket() {
        var limiter = RateLimiter(RateLimit(perSecond: 10, burst: 5), capacity: 10)
        var now = Instant.origin
        for _ in 0..<5 { #expect(limiter.take(ann, at: now) == nil) }
        let wait = limiter.take(ann, at: now)
        #expect(wait == .milliseconds(100))
        now = now + (wait ?? .zero)
        #expect(limiter.take(ann, at: now) == nil)
        #expect(limiter.take(ann, at: now) == .milliseconds(100))
        now = now + .seconds(3_600)
        for _ in 0..<5 { #expect(limiter.take(ann, at: now) == nil) }
        #expect(limiter.take(ann, at: now) != nil)
    }

    @Test("one person's haste is nobody else's, and the quietest is forgotten first")
    func people() {
        var limiter = RateLimiter(RateLimit(perSecond: 1, burst: 1), capacity: 2)
        #expect(limiter.take(ann, at: .origin) == nil)
        #expect(limiter.take(UserID("bob"), at: Instant.origin + .milliseconds(1)) == nil)
        #expect(limiter.take(ann, at: Instant.origin + .milliseconds(2)) != nil)
        #expect(limiter.take(UserID("eve"), at: Instant.origin + .milliseconds(3)) == nil)
        // Bob was forgotten for eve, ann was not.
        #expect(limiter.take(ann, at: Instant.origin + .milliseconds(4)) != nil)
        #expect(limiter.take(UserID("bob"), at: Instant.origin + .milliseconds(5)) == nil)
    }
}

@Suite("Late commits (a backend that is not commit-ordered)")
struct LateCommitsTests {
    private let room = RoomID("r")
    private let ann = UserID("ann")

    private func filled(seed: UInt64, capacity: Int = 100) -> LateCommits {
        var late = LateCommits(settle: .seconds(2), capacity: capacity, seed: seed)
        for number in 1...20 {
            late.hold(
                draft("m"), as: MessageID(UInt128(number)), in: room, by: ann, at: .origin)
        }
        return late
    }

    @Test("each send is committed once, within the settling time, and some out of order")
    func settles() {
        for seed in UInt64(1)...10 {
            var late = filled(seed: seed)
            var met: [MessageID] = []
            while let due = late.nextDeadline {
                #expect(due <= Instant.origin + .seconds(2))
                let taken = late.takeDue(at: due)
                #expect(!taken.isEmpty)
                met += taken.map(\.id)
            }
            #expect(met.sorted() == (1...20).map { MessageID(UInt128($0)) })
            #expect(met != met.sorted())
        }
    }

    @Test("the same seed waits the same, and a repeat finds what waits")
    func seeds() {
        var first = filled(seed: 7)
        var second = filled(seed: 7)
        #expect(first.takeAll().map(\.id) == second.takeAll().map(\.id))
        var late = LateCommits(settle: .seconds(2), capacity: 10, seed: 1)
        let held = draft("x")
        late.hold(held, as: MessageID(5), in: room, by: ann, at: .origin)
        #expect(late.id(of: held.clientID, in: room, by: ann) == MessageID(5))
        #expect(late.id(of: held.clientID, in: room, by: UserID("bob")) == nil)
        #expect(late.id(of: held.clientID, in: RoomID("other"), by: ann) == nil)
    }

    @Test("beyond its capacity the oldest is committed early")
    func capacity() {
        var late = filled(seed: 1, capacity: 5)
        #expect(late.takeDue(at: .origin).count >= 15)
        #expect(late.takeAll().count <= 5)
    }
}
#endif
