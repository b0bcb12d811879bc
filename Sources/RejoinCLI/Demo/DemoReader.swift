#if os(Linux)
import Foundation
import RejoinChat
import RejoinServer
import Synchronization

/// One person who reads the conversation, behind a proxy of their own.
///
/// A row that shows up counts as read while the app is in the foreground, as on a screen that
/// is scrolled to its end.
final class DemoReader: Sendable {
    /// Which pipeline serves the reader.
    enum Pipeline: Sendable {
        case fixed(PipelineVariant)
        /// The one that the flags file says.
        case flipped(DemoFlags)
    }

    let pipeline: Pipeline
    let name: String
    let user: UserID
    let proxy: FaultProxy
    let client: ChatClient
    private let clock: DemoClock
    private let seen = Mutex(Seen())

    private struct Seen {
        var held: Set<MessageID> = []
        var longestStale = Duration.zero
        var handovers = 0
    }

    init(
        _ pipeline: Pipeline, server: ReferenceServer, port: UInt16, clock: DemoClock
    ) throws {
        self.pipeline = pipeline
        self.clock = clock
        name =
            switch pipeline {
            case .fixed(let variant): variant.rawValue
            case .flipped: DemoResult.flippedName
            }
        user = UserID("reader-\(name)")
        proxy = try FaultProxy(to: port)
        client = try DemoClient.make(
            user: user, token: server.token(for: user), port: proxy.port, pipeline: pipeline)
    }

    /// Whether it may end without everything: it ends on the legacy pipeline.
    var mayLose: Bool {
        if case .fixed(.legacy) = pipeline { true } else { false }
    }

    /// Changes the flags file, where there is one: back to legacy takes effect at the next message,
    /// forward with the next foreground.
    func flip(to variant: PipelineVariant) async throws {
        guard case .flipped(let flags) = pipeline else { return }
        try flags.choose(variant)
        try await flags.waitUntilChosen(variant)
    }

    /// Leaves and returns, which begins a room session, where the flags file changes.
    func lookAgain() async {
        guard case .flipped = pipeline else { return }
        await client.suspend()
        await client.enterForeground()
    }

    /// Tells of each handover.
    func tellHandovers(_ progress: (String) -> Void) async {
        for await event in client.rolloutEvents {
            guard case .switched(_, let old, let selection) = event else { continue }
            seen.withLock { $0.handovers += 1 }
            progress("\(name): handed over from \(old) to \(selection.variant)")
        }
    }

    /// Handovers from one pipeline to another.
    var handovers: Int { seen.withLock { $0.handovers } }

    /// Reads until the room closes.
    func read(_ room: ChatRoom) async {
        for await update in room.updates {
            let ids = update.snapshot.timeline.messages.map(\.id)
            note(ids)
            guard let first = ids.min(), let last = ids.max(),
                let token = await room.visibilityToken
            else { continue }
            await room.markRead(first...last, token: token)
        }
    }

    private func note(_ ids: [MessageID]) {
        seen.withLock { seen in
            for id in ids where seen.held.insert(id).inserted {
                guard let age = clock.age(of: id) else { continue }
                seen.longestStale = max(seen.longestStale, age)
            }
        }
    }

    /// The longest time that a message took from the server's store to this reader.
    var longestStale: Duration { seen.withLock { $0.longestStale } }

    /// Makes a trouble begin.
    func suffer(_ event: DemoPlan.Event) async {
        switch event {
        case .reset: proxy.reset()
        case .cutMidFrame: proxy.set(.cut(after: 150), for: .down)
        case .halfOpen: proxy.set(.swallow)
        case .outage:
            proxy.refuse()
            proxy.reset()
            await client.networkPathChanged(isSatisfied: false)
        case .background: await client.suspend()
        case .drip: proxy.set(.throttle(interval: .microseconds(200)), for: .down)
        case .restart: break
        }
    }

    /// Makes a trouble end.
    func recover(from event: DemoPlan.Event) async {
        proxy.pass()
        switch event {
        case .outage: await client.networkPathChanged(isSatisfied: true)
        case .background: await client.enterForeground()
        case .reset, .cutMidFrame, .halfOpen, .drip, .restart: break
        }
    }
}

/// When each message was stored, to tell how old it is when a reader gets it.
final class DemoClock: Sendable {
    private let stored = Mutex<[MessageID: ContinuousClock.Instant]>([:])

    func note(_ id: MessageID) {
        stored.withLock { $0[id] = $0[id] ?? .now }
    }

    func age(of id: MessageID) -> Duration? {
        stored.withLock { $0[id] }.map { $0.duration(to: .now) }
    }
}

/// Clients that notice troubles within a second or two, so that a demonstration does not take
/// minutes.
enum DemoClient {
    static func make(
        user: UserID, token: String, port: UInt16, pipeline: DemoReader.Pipeline
    ) throws -> ChatClient {
        guard let origin = URL(string: "http://127.0.0.1:\(port)") else {
            throw CommandError.failure("no URL can be made for port \(port)")
        }
        var configuration = ChatConfiguration(
            user: user, endpoints: ["ws://127.0.0.1:\(port)/ws"])
        configuration.windowLimit = 600
        configuration.stomp.outgoingHeartbeat = .seconds(1)
        configuration.stomp.incomingHeartbeat = .seconds(1)
        configuration.stomp.heartbeatTolerance = 1.5
        configuration.stomp.openTimeout = .seconds(3)
        configuration.stomp.handshakeTimeout = .seconds(2)
        configuration.stomp.probeTimeout = .seconds(1)
        configuration.stomp.stableTime = .seconds(2)
        configuration.stomp.backoff = Backoff(
            base: .milliseconds(200), cap: .seconds(1), floor: .milliseconds(50))
        configuration.recovery.backoff = configuration.stomp.backoff
        configuration.recovery.pageSize = 50
        configuration.outbox.backoff = configuration.stomp.backoff
        configuration.reads.backoff = configuration.stomp.backoff
        configuration.reads.coalescing = .milliseconds(200)
        configuration.requestTimeout = .seconds(3)
        configuration.outbox.attemptTimeout = .seconds(4)
        configuration.suspendTimeout = .seconds(1)
        var services = try ChatServices.platform(
            origin: origin, credentials: FixedCredentials(.bearer(token)))
        switch pipeline {
        case .fixed(let variant): services.selector = FixedPipelineSelector(variant)
        case .flipped(let flags): services.rollout = flags.rollout
        }
        return ChatClient(configuration: configuration, services: services)
    }
}
#endif
