import RejoinModel

/// A room, a device that follows it through an unreliable connection, and answers that come late,
/// out of order or not at all: a story drawn from a seed, told to a ``Timeline``, and checked
/// against the room at every step.
struct TimelineStory {
    private struct Request {
        let anchor: HistoryAnchor
        let stamp: RequestStamp
        /// Whether the subscription was up, and has not changed since.
        var isContinuous: Bool
        /// The answer, made at some moment between the request and its arrival.
        var page: HistoryPage?
    }

    private let check: String
    private var random: SeededGenerator
    private var generator: ModelGenerator
    private(set) var server: NaiveRoom
    private(set) var timeline: Timeline
    private var requests: [Request] = []
    /// Events on their way to the device, in order; lost with the connection.
    private var stream: [RoomEvent] = []
    private var isSubscribed = false
    /// The tip when the connection was lost. What comes after it while it is away is nobody's claim
    /// yet: a page that is fetched meanwhile is complete as of its making only.
    private var tipAtLoss: MessageID?
    /// The revision up to which nothing was missed; `nil` where that is not known.
    private var proven: Revision?
    /// Tombstones that the device was shown.
    private var buried: Set<MessageID> = []
    /// What happened, for the report of a failure.
    private var steps: [String] = []

    init(check: String, seed: UInt64, hasRevisions: Bool) {
        self.check = check
        random = SeededGenerator(seed: seed)
        generator = ModelGenerator(seed: random.next())
        server = NaiveRoom(hasRevisions: hasRevisions)
        timeline = Timeline(room: server.room)
    }

    /// Tells a number of steps, checks each, then lets everything settle and checks the end.
    mutating func run(steps count: Int) throws {
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            _ = server.send(generator.content(), author: generator.user())
        }
        for _ in 0..<count {
            step()
            try checkPromises()
        }
        settle()
        try checkPromises()
        try checkEnd()
    }

    // MARK: What happens

    private mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: serverSends()
        case 5: serverChanges { server, id, generator in server.edit(id, generator.content()) }
        case 6: serverChanges { server, id, _ in server.delete(id) }
        case 7:
            serverChanges { server, id, generator in
                server.react(id, emoji: "👍", user: generator.user())
            }
        case 8: connectionToggles()
        case 9..<13: deliver()
        case 13, 14: ask()
        case 15: answerIsMade()
        case 16, 17: answerArrives()
        case 18: phantomAppears()
        default: readFeed()
        }
    }

    private mutating func serverSends() {
        emit(
            server.send(
                generator.content(), author: generator.user(),
                skipping: Int.random(in: 0...3, using: &random)))
    }

    private mutating func serverChanges(
        _ change: (inout NaiveRoom, MessageID, inout ModelGenerator) -> RoomEvent?
    ) {
        guard let target = server.messages.randomElement(using: &random) else { return }
        if let event = change(&server, target.id, &generator) { emit(event) }
    }

    private mutating func emit(_ event: RoomEvent) {
        if isSubscribed { stream.append(event) }
    }

    private mutating func connectionToggles() {
        steps.append("toggle")
        isSubscribed.toggle()
        tipAtLoss = server.tip
        stream = []
        proven = nil
        for index in requests.indices { requests[index].isContinuous = false }
        // Both ends of an outage may have lost something; a pipeline notes it when it subscribes.
        timeline.noteLoss(.disconnected)
    }

    private mutating func deliver() {
        guard !stream.isEmpty else { return }
        let event = stream.removeFirst()
        var isConsecutive = false
        if let known = proven, let revision = event.revision, revision > known {
            isConsecutive = revision == known.next
            proven = isConsecutive ? revision : nil
        }
        switch event.kind {
        case .created(let message, let author):
            _ = timeline.receive(message, author: author, consecutive: isConsecutive)
        case .changed(let message):
            _ = timeline.change(message)
        default:
            break
        }
    }

    private mutating func ask() {
        let anchor: HistoryAnchor
        let gap = timeline.gaps.randomElement(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: anchor = .newest
        case 1: anchor = .after(timeline.newestCovered)
        case 2: anchor = gap?.before.map { .before($0) } ?? .newest
        case 3: anchor = .after(gap?.from)
        default:
            anchor = server.messages.randomElement(using: &random).map { .around($0.id) } ?? .newest
        }
        requests.append(
            Request(anchor: anchor, stamp: timeline.makeStamp(), isContinuous: isSubscribed))
        steps.append("ask \(anchor)")
    }

    private mutating func answerIsMade() {
        guard let index = requests.indices.randomElement(using: &random) else { return }
        guard requests[index].page == nil else { return }
        requests[index].page = server.page(
            requests[index].anchor, limit: Int.random(in: 1...8, using: &random))
    }

    private mutating func answerArrives() {
        guard let index = requests.indices.randomElement(using: &random) else { return }
        take(requests.remove(at: index))
    }

    private mutating func take(_ request: Request) {
        let page = request.page ?? server.page(request.anchor, limit: 5)
        _ = timeline.merge(page, answering: request.anchor, stamp: request.stamp)
        steps.append("merge \(request.anchor)")
        if request.isContinuous, !page.hasAfter, timeline.newestCovered == page.tip,
            let revision = page.revision
        {
            proven = max(proven ?? revision, revision)
        }
    }

    /// A message that the server does not have, such as one that a broker delivered although its
    /// transaction was rolled back.
    private mutating func phantomAppears() {
        guard isSubscribed, let near = server.messages.randomElement(using: &random) else { return }
        let id = MessageID(near.id.rawValue + 1)
        guard let tip = server.tip, id < tip, !server.messages.contains(where: { $0.id == id })
        else { return }
        _ = timeline.receive(generator.message(id))
        steps.append("phantom \(id)")
    }

    private mutating func readFeed() {
        guard let proven, isSubscribed else { return }
        let stamp = timeline.makeStamp()
        let page = server.changes(after: proven, limit: 5)
        _ = timeline.merge(page, stamp: stamp)
        guard !page.hasMore else { return }
        _ = timeline.confirmTail(through: page.tip, stamp: stamp)
        self.proven = page.revision
        steps.append("feed through \(page.revision)")
    }

    // MARK: How it ends

    /// The connection holds at last: the stream runs dry, and pages close every gap.
    private mutating func settle() {
        if !isSubscribed { connectionToggles() }
        while !stream.isEmpty { deliver() }
        for _ in 0..<(server.messages.count + 100) {
            guard let gap = timeline.gaps.last else { break }
            let anchor: HistoryAnchor =
                gap.before == nil || Bool.random(using: &random)
                ? .after(gap.from) : .before(gap.before ?? MessageID(.max))
            fetch(anchor)
        }
    }

    private mutating func fetch(_ anchor: HistoryAnchor) {
        take(
            Request(
                anchor: anchor, stamp: timeline.makeStamp(), isContinuous: true,
                page: server.page(anchor, limit: 7)))
    }

    /// Reads everything once more, then hands in the answers that are still out, late as they are.
    mutating func rereadAndStraggle() {
        var anchor = MessageID?.none
        repeat {
            fetch(.after(anchor))
            anchor = timeline.messages(after: anchor, limit: 7).last?.id ?? server.tip
        } while precedes(anchor, server.tip)
        for request in requests { take(request) }
        requests = []
    }

    private func precedes(_ left: MessageID?, _ right: MessageID?) -> Bool {
        guard let right else { return false }
        return left.map { $0 < right } ?? true
    }

    // MARK: What must hold

    private mutating func checkPromises() throws {
        let held = timeline.messages()
        for (left, right) in zip(held, held.dropFirst()) where left.id >= right.id {
            try fail(
                "each message once, in server order", "\(left.id) before \(right.id)",
                "people, who read answers above questions, or twice")
        }
        let pending = Set(
            stream.compactMap { event -> MessageID? in
                if case .created(let message, _) = event.kind { message.id } else { nil }
            })
        let gaps = timeline.gaps
        for message in server.messages where !timeline.contains(message.id) {
            if timeline.coverage.contains(message.id) {
                try fail(
                    "every message in a covered range to be held (P1)",
                    "no \(message.id) in \(timeline.coverage.intervals)",
                    "people, who never learn that somebody wrote to them")
            }
            let isShown = gaps.contains { gap in
                precedes(gap.from, message.id) && gap.before.map { message.id < $0 } ?? true
            }
            let isUnclaimed = !isSubscribed && precedes(tipAtLoss, message.id)
            if !isShown, !isUnclaimed, !pending.contains(message.id) {
                try fail(
                    "a gap where \(message.id) is missing (P1)", "gaps \(gaps)",
                    "people, who take a conversation with a hole for the whole")
            }
        }
        for message in held where message.isDeleted { buried.insert(message.id) }
        for id in buried where timeline[id]?.isDeleted != true {
            try fail(
                "the tombstone \(id) to stay", "\(String(describing: timeline[id]?.isDeleted))",
                "people who deleted a message and see it again")
        }
    }

    private mutating func checkEnd() throws {
        if !timeline.gaps.isEmpty {
            try fail(
                "no gap once every gap was fetched", "\(timeline.gaps)",
                "people who look at a spinner for ever")
        }
        rereadAndStraggle()
        try checkPromises()
        let held = timeline.messages()
        for (mine, theirs) in zip(held, server.messages) where mine != theirs {
            try fail(
                "the server's state of \(theirs.id) after rereading, whatever comes late",
                "revision \(String(describing: mine.revision)) of \(mine.id)",
                "people who see an old text, or a message that does not exist")
        }
        if held.count != server.messages.count {
            try fail(
                "\(server.messages.count) messages", "\(held.count)",
                "people who see a message that does not exist, or miss one")
        }
    }

    private func fail(_ expected: String, _ got: String, _ whoIsHurt: String) throws {
        throw ContractFailure(
            check: check, expected: expected,
            got: got + "; last steps: " + steps.suffix(12).joined(separator: ", "),
            whoIsHurt: whoIsHurt)
    }
}
