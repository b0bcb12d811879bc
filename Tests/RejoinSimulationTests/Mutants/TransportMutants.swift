import RejoinSimulation
import RejoinTime
import RejoinTransport

struct HeartbeatNotRearmed: Mutant {
    let name = "heart-beat not re-armed"
    private var beaten = ConnectionEpoch(0)

    mutating func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        var kept: [StompSession.Effect] = []
        for effect in effects {
            if case .transmit(let epoch, let message) = effect, message.bytes.count == 1 {
                guard beaten < epoch else { continue }
                beaten = epoch
            }
            kept.append(effect)
        }
        return kept
    }
}

struct SilenceNotNoticed: Mutant {
    let name = "silence not noticed"
    private var epoch = ConnectionEpoch(0)

    mutating func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        input == .timePassed ? [.ponged(epoch), input] : [input]
    }

    mutating func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        for case .open(let opened, _) in effects { epoch = opened }
        return effects
    }
}

struct NotSubscribedAgain: Mutant {
    let name = "no re-subscribe"

    func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        effects.filter { effect in
            guard case .transmit(let epoch, let message) = effect else { return true }
            return epoch.number == 1 || !message.bytes.starts(with: Array("SUBSCRIBE\n".utf8))
        }
    }
}

struct StaleEpochAccepted: Mutant {
    let name = "stale epoch accepted"
    private var epoch = ConnectionEpoch(0)

    mutating func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        switch input {
        case .received(_, let bytes): [.received(epoch, bytes)]
        case .socketFailed(_, let error): [.socketFailed(epoch, error)]
        case .ponged: [.ponged(epoch)]
        default: [input]
        }
    }

    mutating func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        for case .open(let opened, _) in effects { epoch = opened }
        return effects
    }
}

struct NoBackoff: Mutant {
    let name = "no backoff"
    private var isWaiting = false

    mutating func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        isWaiting && input == .timePassed ? [.stop, .start] : [input]
    }

    mutating func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        for case .status(let status) in effects {
            if case .waiting = status { isWaiting = true } else { isWaiting = false }
        }
        guard isWaiting else { return effects }
        return effects.map { effect in
            if case .setTimer(.some) = effect { .setTimer(now + .milliseconds(10)) } else { effect }
        }
    }
}

struct ConnectTimerLost: Mutant {
    let name = "connect timer lost"

    func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        let isWaiting = effects.contains {
            if case .status(.waiting) = $0 { true } else { false }
        }
        guard isWaiting else { return effects }
        return effects.filter { if case .setTimer = $0 { false } else { true } }
    }
}

struct SocketKeptOpen: Mutant {
    let name = "socket kept open"

    func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        effects.filter { effect in
            switch effect {
            case .close, .abandon: false
            default: true
            }
        }
    }
}

struct ExpiredTokenKept: Mutant {
    let name = "expired token kept"

    func rewrite(_ effects: [StompSession.Effect], at now: Instant)
        -> [StompSession.Effect]
    {
        effects.map { effect in
            guard case .requestCredentials(let epoch, _) = effect else { return effect }
            return .requestCredentials(epoch, .initial)
        }
    }
}

struct HalfFrameForgotten: Mutant {
    let name = "half a frame forgotten"

    func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        guard case .received(let epoch, let bytes) = input else { return [input] }
        let end = bytes.lastIndex { $0 == 0 || $0 == 10 }.map { $0 + 1 } ?? 0
        return [.received(epoch, ContiguousArray(bytes[..<end]))]
    }
}

struct ForegroundNotHeard: Mutant {
    let name = "foreground not heard"

    func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        input == .enterForeground ? [] : [input]
    }
}

struct SubscriptionsMixedUp: Mutant {
    let name = "subscriptions mixed up"
    private var first: StompSubscriptionRequest?

    mutating func rewrite(_ input: StompSession.Input, at now: Instant) -> [StompSession.Input] {
        guard case .subscribe(let key, let request) = input else { return [input] }
        first = first ?? request
        return [.subscribe(key, first ?? request)]
    }
}
