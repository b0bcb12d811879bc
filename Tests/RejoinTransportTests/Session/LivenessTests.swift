import RejoinTime
import RejoinTransport
import Testing

/// Rows of the requirement table about heart-beats and dead sockets.
@Suite("StompSession: signs of life")
struct LivenessTests {
    @Test(
        "S: heart-beat mathematics",
        arguments: [
            // Ours is 10000,20000.
            ("15000,5000", 10, 20), ("25000,15000", 15, 25), ("0,5000", 10, nil),
            ("15000,0", nil, 20), ("0,0", nil, nil), ("10000,10000", 10, 20),
        ] as [(String, Int?, Int?)])
    func mathematics(_ header: String, _ outgoing: Int?, _ incoming: Int?) {
        var bench = SessionBench {
            $0.incomingHeartbeat = .seconds(20)
            $0.pingInterval = .seconds(100_000)
        }
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet(["version": "1.2", "heart-beat": header])
        let connected = bench.now
        var beats: [Instant] = []
        // The server beats often enough for any agreement, so that only our beats are looked at.
        for _ in 0..<60 {
            bench.pass(.seconds(1))
            if bench.effects.heartbeats > 0 { beats.append(bench.now) }
            bench.give(.wrote(bench.epoch))
            bench.server(raw: "\n")
        }
        if let outgoing {
            #expect(!beats.isEmpty)
            var last = connected
            for beat in beats {
                #expect(beat - last <= .seconds(outgoing), "each within the agreed interval")
                last = beat
            }
        } else {
            #expect(beats.isEmpty)
        }
        guard let incoming else {
            bench.pass(.seconds(600))
            #expect(bench.session.isConnected, "R-23: a 0 turns off that direction alone")
            return
        }
        bench.pass(.milliseconds(incoming * 2_000 - 1))
        #expect(bench.session.isConnected)
        bench.pass(.milliseconds(1))
        #expect(!bench.session.isConnected)
    }

    @Test(
        "S: malformed heart-beat headers are no offer and no trap",
        arguments: [
            "20r000,1", "-1,1", "99999999999999999999,1", "1", "1,2,3", "", ",", "1, 1", "+1,1",
            "9223372036854775807,9223372036854775807",
        ])
    func malformed(_ header: String) {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet(["version": "1.2", "heart-beat": header])
        #expect(bench.session.isConnected)
        bench.pass(.seconds(20))
        #expect(bench.session.isConnected)
    }

    @Test("S: data at n−1 keeps the connection; silence of n times the tolerance ends it")
    func tolerance() {
        var bench = SessionBench()
        bench.connect()
        for _ in 0..<20 {
            bench.pass(.milliseconds(19_999))
            #expect(bench.session.isConnected)
            bench.server(raw: "\n")
        }
        bench.pass(.seconds(20))
        #expect(bench.session.isWaiting)
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(1))), "not politely closed")
    }

    @Test("R-22: reading does not reset the write timer")
    func independentTimers() {
        var bench = SessionBench()
        bench.connect()
        for _ in 0..<100 {
            bench.pass(.milliseconds(100))
            bench.server(raw: "\n")
        }
        #expect(bench.history.heartbeats == 1)
    }

    @Test("Writing resets the write timer only")
    func writesResetWrites() {
        var bench = SessionBench()
        bench.connect()
        for number in 0..<4 {
            bench.pass(.seconds(4))
            bench.give(.send(StompRequestID(UInt64(number)), StompSend("/a", body: [1])))
            bench.give(.wrote(bench.epoch))
        }
        #expect(bench.history.heartbeats == 0)
        bench.pass(.seconds(4))
        #expect(bench.session.isWaiting, "nothing came for 20 s")
    }

    @Test("R-25: an empty message is no sign of life")
    func emptyMessage() {
        var bench = SessionBench()
        bench.connect()
        for _ in 0..<19 {
            bench.pass(.seconds(1))
            bench.server(raw: "")
        }
        bench.pass(.seconds(1))
        #expect(bench.session.isWaiting)
    }

    @Test("R-26: a missing heart-beat is an ordinary drop")
    func ordinaryDrop() {
        var bench = SessionBench()
        bench.connect()
        bench.pass(.seconds(25))
        #expect(bench.history.attempts == 2)
    }

    @Test("R-18, R-19: a new connection has its own timers")
    func freshTimers() {
        var bench = SessionBench()
        bench.connect()
        bench.pass(.seconds(19))
        bench.fail(close: 1006)
        bench.pass(.milliseconds(1_000))
        bench.climb()
        bench.pass(.milliseconds(19_900))
        #expect(bench.session.isConnected)
    }

    @Test("R-27: with no heart-beat at all a ping keeps proxies and RabbitMQ awake within a minute")
    func pingsWithoutHeartbeat() {
        var bench = SessionBench()
        bench.start()
        bench.authorize()
        bench.open()
        bench.greet(["version": "1.2"])
        for _ in 0..<300 {
            bench.pass(.seconds(1))
            if bench.effects.pings > 0 { bench.give(.ponged(bench.epoch)) }
        }
        #expect(bench.session.isConnected)
        #expect((6...12).contains(bench.history.pings))
        bench.pass(.seconds(30))
        #expect(!bench.session.isConnected, "an unanswered ping is a dead socket")
    }

    @Test("Beats do not pile up behind a socket that takes nothing")
    func blockedSocket() {
        var bench = SessionBench()
        bench.connect()
        for _ in 0..<600 {
            bench.pass(.seconds(1))
            bench.server(raw: "\n")
        }
        #expect(bench.history.heartbeats == 1)
    }

    @Test("Foreground probes; any byte within the deadline saves the connection")
    func probeAnswered() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.enterBackground)
        bench.pass(.seconds(5))
        bench.give(.enterForeground)
        #expect(bench.effects.pings == 1)
        bench.pass(.seconds(3))
        bench.server(raw: "\n")
        bench.pass(.seconds(5))
        #expect(bench.session.isConnected)
    }

    @Test("Foreground probes; a dead socket is abandoned at once")
    func probeUnanswered() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.enterForeground)
        bench.pass(.seconds(4))
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(1))))
        #expect(!bench.effects.contains(.close(ConnectionEpoch(1), code: 1000)))
    }

    @Test(
        "R-29: after a long sleep the foreground finds the dead connection and comes back at once")
    func longSleep() {
        var bench = SessionBench()
        bench.connect()
        bench.give(.enterBackground)
        bench.now = bench.now + .seconds(900)
        bench.give(.enterForeground)
        #expect(bench.effects.contains(.abandon(ConnectionEpoch(1))))
        #expect(bench.effects.contains(.requestCredentials(ConnectionEpoch(2), .initial)))
    }
}
