import RejoinContracts
import RejoinModel
import RejoinTime

extension Suite {
    /// `Timeline` against a plain array and a `Dictionary`, in rooms of three sizes.
    static let timeline = Suite(
        name: "timeline",
        summary: "a room's messages: append, prepend, look up, de-duplicate, insert"
    ) { report in
        var small: TimelineBenchmark.Costs?
        for count in [1_000, 100_000, 1_000_000] {
            report.progress("a room of \(count) messages")
            let benchmark = TimelineBenchmark(report, count: count)
            let costs = try benchmark.run()
            small = small ?? costs
            guard count == 1_000_000, let small else { continue }
            report.add(
                Figure(
                    name: "append while held, growth", value: costs.appendHeld / small.appendHeld,
                    unit: "times from 1,000 to 1,000,000", bound: .atMost(3)))
            report.add(
                Figure(
                    name: "prepend a page, growth", value: costs.prepend / small.prepend,
                    unit: "times from 1,000 to 1,000,000", bound: .atMost(3)))
        }
    }
}

/// Reads a found message out of line, so that each contestant must hand over the whole of it; an
/// inlined look-up in a dictionary would otherwise fetch the one field that is used.
@inline(never)
private func read(_ message: Message?) {
    precondition(message?.sentAt.milliseconds != .min, "a message that was generated")
}

private final class TimelineBenchmark {
    /// Nanoseconds of what must not depend on the room's size.
    struct Costs {
        var appendHeld: Double
        var prepend: Double
    }

    private static let spacing: UInt128 = 4
    private static let first = MessageID(1 << 40)
    private static let pageSize = 50
    private static let hits = 20_000
    private static let batch = 500

    private let report: Report
    private let count: Int
    private let label: String
    private var generator = ModelGenerator(seed: 1)
    private let messages: [Message]
    private var timeline: Timeline
    private var array: [Message]
    private let dictionary: [MessageID: Message]

    init(_ report: Report, count: Int) {
        self.report = report
        self.count = count
        label = count == 1_000_000 ? "1,000,000" : count == 100_000 ? "100,000" : "1,000"
        messages = generator.messages(count, from: Self.first, spacing: Self.spacing)
        var coverage = Coverage()
        coverage.insert(
            .init(from: Self.first.predecessor, through: messages[count - 1].id))
        timeline = Timeline(room: RoomID("room"), messages: messages, coverage: coverage)
        array = messages
        dictionary = Dictionary(uniqueKeysWithValues: messages.lazy.map { ($0.id, $0) })
    }

    func run() throws -> Costs {
        try lookUp()
        try deduplicate()
        try append()
        let held = try appendWhileHeld()
        let prepend = try prependPages()
        try insertOutOfOrder()
        return Costs(appendHeld: held, prepend: prepend)
    }

    /// Hands the timeline and the array out for good: a copy that stays behind would make the first
    /// change of each part a copy, which is measured by itself.
    private func takeContestants() -> (Timeline, [Message]) {
        defer { (timeline, array) = (Timeline(room: RoomID("room")), []) }
        return (timeline, array)
    }

    // MARK: Reading

    private func lookUp() throws {
        let ids = (0..<Self.hits).map { _ in
            messages[Int.random(in: 0..<count, using: &generator.random)].id
        }
        let (timeline, dictionary) = (self.timeline, dictionary)
        let times = try Measure.medians([
            { Measure.nanoseconds { for id in ids { read(timeline[id]) } } },
            { Measure.nanoseconds { for id in ids { read(dictionary[id]) } } },
        ])
        add(
            "look up", times, per: Self.hits, peer: "Dictionary",
            promised: count == 100_000 ? 1 / 1.3 : nil)
    }

    private func deduplicate() throws {
        let repeated = (0..<Self.hits).map { _ in
            messages[Int.random(in: 0..<count, using: &generator.random)]
        }
        var (timeline, array) = takeContestants()
        defer { (self.timeline, self.array) = (timeline, array) }
        let dictionary = dictionary
        let times = try Measure.medians([
            { Measure.nanoseconds { for message in repeated { keep(timeline.receive(message)) } } },
            {
                Measure.nanoseconds {
                    for message in repeated { keep(dictionary[message.id] == message) }
                }
            },
        ])
        add("de-duplicate", times, per: Self.hits, peer: "Dictionary")
    }

    // MARK: Growing

    private func following(_ round: Int) -> [Message] {
        var generator = ModelGenerator(seed: UInt64(round))
        let first = count + round * Self.batch
        return generator.messages(
            Self.batch, from: MessageID(Self.first.rawValue + UInt128(first) * Self.spacing),
            spacing: Self.spacing)
    }

    private func append() throws {
        var (timeline, array) = takeContestants()
        defer { (self.timeline, self.array) = (timeline, array) }
        var (ours, theirs) = (0, 0)
        let times = try Measure.medians([
            {
                let batch = self.following(ours)
                ours += 1
                return Measure.nanoseconds {
                    for message in batch { keep(timeline.receive(message)) }
                }
            },
            {
                let batch = self.following(theirs)
                theirs += 1
                return Measure.nanoseconds { for message in batch { array.append(message) } }
            },
        ])
        add("append", times, per: Self.batch, peer: "array")
    }

    /// Each append while a copy of the state before it is held, as a published snapshot would be.
    private func appendWhileHeld() throws -> Double {
        var (timeline, array) = takeContestants()
        defer { (self.timeline, self.array) = (timeline, array) }
        var (ours, theirs) = (100, 100)
        // The array copies itself each time; a few appends tell as much as many.
        let few = 4
        let times = try Measure.medians([
            {
                let batch = self.following(ours)
                ours += 1
                var held = timeline
                let time = Measure.nanoseconds {
                    for message in batch {
                        held = timeline
                        keep(timeline.receive(message))
                    }
                }
                keep(held)
                return time / Double(Self.batch)
            },
            {
                let batch = self.following(theirs)
                theirs += 1
                var held = array
                let time = Measure.nanoseconds {
                    for message in batch.prefix(few) {
                        held = array
                        array.append(message)
                    }
                }
                keep(held)
                return time / Double(few)
            },
        ])
        add("append while a copy is held", times, per: 1, peer: "array")
        return times[0] ?? 0
    }

    private func prependPages() throws -> Double {
        var (timeline, array) = takeContestants()
        defer { (self.timeline, self.array) = (timeline, array) }
        let pages = (0..<2 * (Measure.rounds + 1)).map(page)
        var (ours, theirs) = (0, 0)
        let prepend = {
            let page = pages[ours]
            let stamp = timeline.makeStamp()
            ours += 1
            return Measure.nanoseconds { keep(timeline.merge(page, stamp: stamp)) }
        }
        // First alone: the array sweeps the caches, in a large room more than in a small one.
        let alone = try Measure.medians([prepend])
        let times = try Measure.medians([
            prepend,
            {
                let messages = pages[theirs].messages
                theirs += 1
                return Measure.nanoseconds { array.insert(contentsOf: messages, at: 0) }
            },
        ])
        add(
            "prepend a page of 50", times, per: 1, peer: "array",
            promised: count == 100_000 ? 10 : nil)
        return alone[0] ?? 0
    }

    /// The pages before the first message, the next one first.
    private func page(_ round: Int) -> HistoryPage {
        var generator = ModelGenerator(seed: UInt64(round))
        let width = UInt128(Self.pageSize) * Self.spacing
        let start = Self.first.rawValue - UInt128(round + 1) * width
        return HistoryPage(
            messages: generator.messages(
                Self.pageSize, from: MessageID(start), spacing: Self.spacing),
            from: MessageID(start).predecessor, through: MessageID(start + width - 1),
            hasBefore: true, hasAfter: true, tip: nil)
    }

    private func insertOutOfOrder() throws {
        var (timeline, array) = takeContestants()
        defer { (self.timeline, self.array) = (timeline, array) }
        let rounds = (0...Measure.rounds).map { round in
            (0..<Self.pageSize).map { _ in
                let place = UInt128(Int.random(in: 0..<count, using: &generator.random))
                // An ID between two others, another in each round.
                let id = Self.first.rawValue + place * Self.spacing + 1 + UInt128(round % 3)
                return generator.message(MessageID(id))
            }
        }
        var (ours, theirs) = (0, 0)
        let times = try Measure.medians([
            {
                let batch = rounds[ours]
                ours += 1
                return Measure.nanoseconds {
                    for message in batch { keep(timeline.receive(message)) }
                }
            },
            {
                let batch = rounds[theirs]
                theirs += 1
                return Measure.nanoseconds {
                    for message in batch { Self.insert(message, into: &array) }
                }
            },
        ])
        add("insert out of order", times, per: Self.pageSize, peer: "array")
    }

    /// What a careful plain array does: binary search, then an insertion that moves the rest.
    private static func insert(_ message: Message, into array: inout [Message]) {
        var (low, high) = (0, array.count)
        while low < high {
            let middle = (low + high) / 2
            if array[middle].id < message.id { low = middle + 1 } else { high = middle }
        }
        if low < array.count, array[low].id == message.id { return }
        array.insert(message, at: low)
    }

    private func add(
        _ name: String, _ times: [Double?], per operations: Int, peer: String,
        promised: Double? = nil
    ) {
        guard let own = times[0] else { return }
        report.add(
            .cost(
                "\(name), \(label)", own / Double(operations), "ns",
                peers: [
                    (
                        name: peer, value: times[1].map { $0 / Double(operations) },
                        promised: promised
                    )
                ]))
    }
}
