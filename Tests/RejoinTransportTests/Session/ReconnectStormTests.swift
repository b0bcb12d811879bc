import RejoinContracts
import RejoinTime
import RejoinTransport
import Testing

/// Promise P8: after an outage clients come back spread out.
///
/// A thousand session cores lose the same server in the same instant. The attempts that reach the
/// returned server are counted in every sliding 100 ms; the rule of the first design
/// (`min(delay + jitter, cap)`) goes through the same outages beside them.
@Suite("Reconnect storm")
struct ReconnectStormTests {
    static let clients = 1_000
    static let seeds = 20

    @Test(
        "P8: at most 2 % of 1,000 clients attempt in any 100 ms after the server's return",
        arguments: [20, 120])
    func storm(_ outageSeconds: Int) async {
        let outage = Duration.seconds(outageSeconds)
        let peaks = await withTaskGroup(of: (Int, Int).self) { group in
            for seed in 0..<Self.seeds {
                group.addTask {
                    var seeds = SeededGenerator(seed: UInt64(seed))
                    var ours: [Duration] = []
                    var first: [Duration] = []
                    for _ in 0..<Self.clients {
                        ours.append(Self.comeback(after: outage, seeds.fork()))
                        first.append(Self.firstDesign(after: outage, seeds.fork()))
                    }
                    return (Self.peak(ours), Self.peak(first))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let ours = peaks.map(\.0).sorted()
        let first = peaks.map(\.1).sorted()
        let median = ours[ours.count / 2]
        print(
            """
            Reconnect storm, \(Self.clients) clients, outage \(outageSeconds) s, most attempts in \
            100 ms over \(Self.seeds) seeds: median \(median) (\(ours[0])…\(ours[ours.count - 1])); \
            min(delay + jitter, cap): median \(first[first.count / 2]) \
            (\(first[0])…\(first[first.count - 1]))
            """)
        #expect(median <= Self.clients * 2 / 100)
    }

    /// A session that is connected, and has forgotten every earlier failure.
    private static let connected: SessionBench = {
        var bench = SessionBench {
            $0.backoff = Backoff(base: .seconds(1), cap: .seconds(30), floor: .milliseconds(100))
        }
        bench.connect()
        bench.keepsHistory = false
        return bench
    }()

    /// When a session reaches the server again, counted from its return.
    private static func comeback(after outage: Duration, _ random: SeededGenerator) -> Duration {
        var bench = connected
        bench.random = random
        let back = bench.now + outage
        bench.fail(close: 1006)
        while true {
            bench.passUntilAttempt()
            bench.authorize()
            guard bench.now < back else { return bench.now - back }
            bench.fail(.unreachable)
        }
    }

    /// The same for the rule of the first design: the n-th wait is `min(base · 2^(n−1), cap)`
    /// plus a random part of up to half of it, cut at the cap again.
    private static func firstDesign(
        after outage: Duration, _ random: SeededGenerator
    ) -> Duration {
        var random = random
        var elapsed = Duration.zero
        var attempt = 0
        while elapsed < outage {
            let delay = min(.seconds(1) * (1 << min(attempt, 10)), .seconds(30))
            let jitter = Int64.random(in: 0...(delay / 2).wholeNanoseconds, using: &random)
            elapsed += min(delay + .nanoseconds(jitter), .seconds(30))
            attempt += 1
        }
        return elapsed - outage
    }

    /// The most attempts in any half-open window of 100 ms.
    private static func peak(_ attempts: [Duration]) -> Int {
        let sorted = attempts.sorted()
        var most = 0
        var start = 0
        for end in sorted.indices {
            while sorted[end] - sorted[start] >= .milliseconds(100) { start += 1 }
            most = max(most, end - start + 1)
        }
        return most
    }
}
