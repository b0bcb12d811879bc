import RejoinTime

/// The subscriptions that the host wants, and where each stands on the present connection.
///
/// Only ``add(_:_:)`` and ``remove(_:)`` change what is wanted: the union survives any number of
/// drops. The registry also finds the subscription that makes a server close the connection. After
/// two closes with SUBSCRIBEs pending it goes *singly*: subscriptions that have run before are
/// asked for first, the suspects after them one at a time, and the one that is alone on the wire
/// when the server closes again is the culprit. Where the server decided so, it goes for good;
/// where the connection only broke, which a bad network does to a healthy subscription too, it
/// *rests*: the others live, and it is tried again later.
struct SubscriptionRegistry: Sendable {
    /// How much a lost connection says against the SUBSCRIBEs that were pending.
    enum Evidence: Hashable, Sendable {
        /// We ended it ourselves, or the peer went silent.
        case none
        /// It broke: a network does that, and a crashing server too.
        case weak
        /// The server decided to close it.
        case strong
    }

    struct Entry: Sendable {
        let request: StompSubscriptionRequest
        var phase = StompSubscriptionPhase.waiting
        var wireID: String?
        /// When a pending one counts as assumed, or an assumed one as proven.
        var deadline: Instant?
        /// It has run before.
        var isTrusted = false
        /// It was pending when a server closed.
        var isSuspect = false
        /// Connections that ended, one way or another, while it alone was pending; two put it to
        /// rest.
        var strikes = 0
        /// Times that a server accused it, by its name or by closing while it alone was pending;
        /// two put it out of action. One is no proof: a server that gets rid of a slow consumer,
        /// or stops, says the same.
        var accusations = 0
        /// How many times it has been put to rest in a row.
        var rests = 0
        /// It is not asked for before this.
        var restsUntil: Instant?
    }

    /// What the end of a connection says about the one subscription that stood alone.
    enum Verdict: Sendable {
        /// It went for good.
        case gone(StompSubscriptionKey, Entry)
        /// It is not asked for until then.
        case rests(StompSubscriptionKey, Entry, until: Instant)
    }

    private var entries: [StompSubscriptionKey: Entry] = [:]
    private var keysByWireID: [String: StompSubscriptionKey] = [:]
    private var pending: Set<StompSubscriptionKey> = []
    private var closesWithPending = 0
    private var highestKey = StompSubscriptionKey(0)
    /// Not later than the earliest deadline; an early wake is harmless.
    private(set) var wake: Instant?
    /// Whether suspects are tried one at a time.
    private(set) var isSingly = false

    var count: Int { entries.count }
    var hasPending: Bool { !pending.isEmpty }

    subscript(_ key: StompSubscriptionKey) -> Entry? { entries[key] }

    /// The subscription of a MESSAGE.
    func key(forWireID wireID: String) -> StompSubscriptionKey? { keysByWireID[wireID] }

    /// The only pending one, if there is exactly one.
    var solePending: StompSubscriptionKey? { pending.count == 1 ? pending.first : nil }

    /// The identifier on the wire: fresh in each epoch, and of characters that no broker escapes
    /// or interprets.
    static func wireID(_ key: StompSubscriptionKey, in epoch: ConnectionEpoch) -> String {
        "s\(epoch.number)-\(key.number)"
    }

    /// Whether this identifier was ours once: a MESSAGE that crossed our UNSUBSCRIBE bears it.
    func isRetired(_ wireID: String, in epoch: ConnectionEpoch) -> Bool {
        guard wireID.utf8.first == UInt8(ascii: "s") else { return false }
        let parts = wireID.utf8.dropFirst().split(
            separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, let oldEpoch = UInt64(Substring(parts[0])),
            let key = UInt64(Substring(parts[1]))
        else { return false }
        return oldEpoch <= epoch.number && key <= highestKey.number
    }

    // MARK: What is wanted

    /// Wants a subscription whose key is not wanted yet.
    mutating func add(_ key: StompSubscriptionKey, _ request: StompSubscriptionRequest) {
        entries[key] = Entry(request: request)
        highestKey = max(highestKey, key)
    }

    /// Wants it no more.
    mutating func remove(_ key: StompSubscriptionKey) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        if let wireID = entry.wireID { keysByWireID[wireID] = nil }
        pending.remove(key)
        settleSuspicion()
        return entry
    }

    // MARK: One connection

    /// Those to ask for now, in the order of their keys.
    ///
    /// - Complexity: O(*n* log *n*) in the number of subscriptions.
    func keysToSubscribe() -> [StompSubscriptionKey] {
        let idle = entries.filter { $0.value.wireID == nil && $0.value.restsUntil == nil }
            .keys.sorted()
        guard isSingly else { return idle }
        let trusted = idle.filter { entries[$0]?.isTrusted == true }
        guard trusted.isEmpty, pending.isEmpty else { return trusted }
        return Array(idle.prefix(1))
    }

    /// Notes that SUBSCRIBE has left.
    mutating func subscribed(
        _ key: StompSubscriptionKey, as wireID: String, until deadline: Instant
    ) {
        entries[key]?.phase = .pending
        entries[key]?.wireID = wireID
        keysByWireID[wireID] = key
        pending.insert(key)
        setDeadline(deadline, for: key)
    }

    /// Notes the receipt; returns whether that changes the phase.
    mutating func confirmed(_ key: StompSubscriptionKey) -> Bool {
        guard let entry = entries[key] else { return false }
        switch entry.phase {
        case .pending, .assumed:
            settle(key, as: .confirmed)
            return true
        case .waiting, .confirmed, .proven, .lost, .resting, .denied, .quarantined, .refused,
            .unsubscribed:
            return false
        }
    }

    /// Notes a first MESSAGE; returns whether that changes the phase.
    mutating func proven(_ key: StompSubscriptionKey) -> Bool {
        guard let entry = entries[key] else { return false }
        switch entry.phase {
        case .pending, .assumed:
            settle(key, as: .proven)
            return true
        case .waiting, .confirmed, .proven, .lost, .resting, .denied, .quarantined, .refused,
            .unsubscribed:
            return false
        }
    }

    /// Moves on those whose deadline has passed; returns them in the order of their keys.
    ///
    /// - Complexity: O(*n* log *n*) where something is due, else O(1).
    mutating func takeOverdue(at now: Instant, settleTime: Duration) -> [StompSubscriptionKey] {
        guard let wake, wake <= now else { return [] }
        self.wake = nil
        var changed: [StompSubscriptionKey] = []
        for key in entries.keys.sorted() {
            guard let entry = entries[key] else { continue }
            if let restsUntil = entry.restsUntil { wakeUp(by: restsUntil) }
            guard let deadline = entry.deadline else { continue }
            guard deadline <= now else {
                setDeadline(deadline, for: key)
                continue
            }
            changed.append(key)
            if entry.phase == .pending {
                settle(key, as: .assumed)
                setDeadline(now + settleTime, for: key)
            } else {
                settle(key, as: .proven)
            }
        }
        return changed
    }

    /// Notes the end of the connection. Returns who was asked for over it, in the order of their
    /// keys, and who is put out of action: at `now`, for a while that doubles with each rest.
    mutating func connectionEnded(
        _ evidence: Evidence, at now: Instant, rest: Duration, maximumRest: Duration
    ) -> (lost: [StompSubscriptionKey], verdict: Verdict?) {
        var verdict: Verdict?
        var resting: StompSubscriptionKey?
        if evidence != .none, !pending.isEmpty {
            if isSingly, let key = solePending, entries[key]?.isTrusted == false {
                if evidence == .strong {
                    if accuse(key), let entry = remove(key) { verdict = .gone(key, entry) }
                } else if strike(key) {
                    resting = key
                }
            } else {
                closesWithPending += 1
                for key in pending {
                    entries[key]?.isSuspect = true
                    entries[key]?.isTrusted = false
                }
                isSingly = closesWithPending >= 2
            }
        }
        let lost = entries.filter { $0.value.wireID != nil }.keys.sorted()
        for key in lost {
            entries[key]?.phase = .lost
            entries[key]?.wireID = nil
            entries[key]?.deadline = nil
        }
        keysByWireID.removeAll()
        pending.removeAll()
        if let key = resting {
            let until = now + restTime(of: key, from: rest, to: maximumRest)
            if let entry = putToRest(key, until: until) {
                verdict = .rests(key, entry, until: until)
            }
        }
        wake = entries.values.compactMap(\.restsUntil).min()
        return (lost, verdict)
    }

    // MARK: Rest

    private func restTime(
        of key: StompSubscriptionKey, from rest: Duration, to maximum: Duration
    ) -> Duration {
        let doublings = min(entries[key]?.rests ?? 0, 16)
        return min(rest * (1 << doublings), maximum)
    }

    private mutating func putToRest(_ key: StompSubscriptionKey, until: Instant) -> Entry? {
        entries[key]?.restsUntil = until
        entries[key]?.rests += 1
        // The next break that finds it alone sends it back to rest at once.
        entries[key]?.strikes = 1
        entries[key]?.isSuspect = false
        settleSuspicion()
        return entries[key]
    }

    /// Lets those be asked for again, singly, whose rest ends by `now`; `nil`: all of them.
    /// Returns whether there were any.
    ///
    /// - Complexity: O(*n* log *n*) in the subscriptions where something is due, else O(1).
    @discardableResult
    mutating func endRests(by now: Instant? = nil) -> Bool {
        if let now, wake.map({ now < $0 }) ?? true { return false }
        var isEnded = false
        for key in entries.keys.sorted() {
            guard let until = entries[key]?.restsUntil, now.map({ until <= $0 }) ?? true else {
                continue
            }
            entries[key]?.restsUntil = nil
            entries[key]?.isSuspect = true
            entries[key]?.isTrusted = false
            isEnded = true
        }
        if isEnded { isSingly = true }
        return isEnded
    }

    /// Notes that a server accused a subscription; returns whether it has to go.
    mutating func accuse(_ key: StompSubscriptionKey) -> Bool {
        guard let entry = entries[key] else { return false }
        entries[key]?.accusations = entry.accusations + 1
        return entry.accusations >= 1
    }

    /// Notes that a connection broke while a subscription alone was pending; returns whether that
    /// one has to rest.
    private mutating func strike(_ key: StompSubscriptionKey) -> Bool {
        guard let entry = entries[key] else { return false }
        entries[key]?.strikes = entry.strikes + 1
        return entry.strikes >= 1
    }

    // MARK: Parts

    private mutating func settle(_ key: StompSubscriptionKey, as phase: StompSubscriptionPhase) {
        entries[key]?.phase = phase
        entries[key]?.deadline = nil
        entries[key]?.isSuspect = false
        if phase != .assumed {
            entries[key]?.isTrusted = true
            entries[key]?.strikes = 0
            entries[key]?.accusations = 0
            entries[key]?.rests = 0
        }
        pending.remove(key)
        settleSuspicion()
    }

    /// Forgets the closes once nothing is pending any more, and goes on with all at once when the
    /// last suspect is cleared.
    private mutating func settleSuspicion() {
        guard pending.isEmpty else { return }
        if isSingly, entries.values.contains(where: \.isSuspect) { return }
        isSingly = false
        closesWithPending = 0
    }

    private mutating func setDeadline(_ deadline: Instant, for key: StompSubscriptionKey) {
        entries[key]?.deadline = deadline
        wakeUp(by: deadline)
    }

    private mutating func wakeUp(by deadline: Instant) {
        wake = wake.map { min($0, deadline) } ?? deadline
    }
}
