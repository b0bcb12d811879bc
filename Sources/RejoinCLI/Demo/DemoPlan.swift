import RejoinTime

/// What happens in one run of the demonstration, drawn from its seed before anything starts, so
/// that the same seed gives both pipelines the same troubles.
struct DemoPlan: Sendable {
    /// One trouble, and how many messages are sent before the next step.
    enum Event: Sendable, Equatable {
        /// The connection is reset.
        case reset
        /// The connection ends in the middle of a frame.
        case cutMidFrame
        /// The peer vanishes: both ways are swallowed while this many messages are sent.
        case halfOpen(messages: Int)
        /// The network is gone while this many messages are sent.
        case outage(messages: Int)
        /// The app is in the background while this many messages are sent.
        case background(messages: Int)
        /// The server stops and starts again while this many messages are sent.
        case restart(messages: Int)
        /// The network drips byte by byte while this many messages are sent.
        case drip(messages: Int)
    }

    /// Messages, then what happens after them.
    struct Step: Sendable {
        let messages: Int
        let event: Event
    }

    let seed: UInt64
    let steps: [Step]
    /// Messages after the last trouble.
    let farewell: Int
    /// The wait between two messages.
    let pace: Duration

    /// All messages of the run.
    var messageCount: Int {
        steps.reduce(farewell) { $0 + $1.messages + $1.event.messages }
    }

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var kinds: [Event] = [
            .reset, .cutMidFrame, .halfOpen(messages: count(8...25)),
            .outage(messages: count(8...25)), .background(messages: count(10...60)),
            .restart(messages: count(5...20)), .drip(messages: count(2...6)),
            .outage(messages: count(8...25)), .background(messages: count(10...40)),
        ]
        kinds.shuffle(using: &random)
        steps = kinds.map { Step(messages: count(6...18), event: $0) }
        farewell = count(10...20)
        pace = .milliseconds(count(10...25))
    }
}

extension DemoPlan.Event {
    /// Messages that are sent while it lasts.
    var messages: Int {
        switch self {
        case .reset, .cutMidFrame: 0
        case .halfOpen(let messages), .outage(let messages), .background(let messages),
            .restart(let messages), .drip(let messages):
            messages
        }
    }

    /// What a person is told.
    var description: String {
        switch self {
        case .reset: "connection reset"
        case .cutMidFrame: "connection cut in mid-frame"
        case .halfOpen(let messages): "peer vanished for \(messages) messages"
        case .outage(let messages): "network gone for \(messages) messages"
        case .background(let messages): "app in the background for \(messages) messages"
        case .restart(let messages): "server restarted during \(messages) messages"
        case .drip(let messages): "network drips for \(messages) messages"
        }
    }
}
