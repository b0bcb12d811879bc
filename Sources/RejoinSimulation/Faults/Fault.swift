internal import RejoinTime

/// One kind of trouble. A later feature adds its own by one more value in ``all``; each kind draws
/// from a generator of its own, so that a new one leaves the runs of the others as they are.
struct Fault: Sendable {
    /// What is called when the trouble's time is over.
    typealias Undo = (World) -> Void

    /// What it is called in the trace.
    let name: String
    /// How likely it is to strike at all, compared with the others.
    let weight: Int
    /// How long it lasts, in seconds; `nil`: it is over at once.
    let seconds: ClosedRange<Int>?
    /// Lets it strike; returns how it ends.
    let apply: @Sendable (World, inout SplitMix64) -> Undo?

    init(
        _ name: String, weight: Int = 1, lasting seconds: ClosedRange<Int>? = nil,
        _ apply: @escaping @Sendable (World, inout SplitMix64) -> Undo?
    ) {
        self.name = name
        self.weight = weight
        self.seconds = seconds
        self.apply = apply
    }

    /// A fault that is over at once.
    static func once(
        _ name: String, weight: Int = 1,
        _ apply: @escaping @Sendable (World, inout SplitMix64) -> Void
    ) -> Fault {
        Fault(name, weight: weight) { world, random in
            apply(world, &random)
            return nil
        }
    }

    /// Every kind of trouble there is.
    static let all: [Fault] = network + backend + device
}

/// One planned strike of a fault.
struct Strike {
    let fault: Fault
    var random: SplitMix64
    var undo: Fault.Undo?
}

extension World {
    /// Draws when which fault strikes.
    func planFaults() {
        for fault in Fault.all {
            var random = randomness.stream("fault.\(fault.name)")
            guard random.chance(options.faultKinds * fault.weight) else { continue }
            var count = 1
            while count < 4, random.chance(35) { count += 1 }
            for _ in 0..<count {
                let time = random.milliseconds(3_000...(options.safetySeconds * 1_000))
                strikes.append(Strike(fault: fault, random: SplitMix64(seed: random.next())))
                plan(.strike(strikes.count - 1), at: .origin + time)
            }
        }
    }

    func strike(_ index: Int) {
        guard isSafetyPhase else { return }
        let fault = strikes[index].fault
        note("fault", fault.name)
        statistics.faults += 1
        var random = strikes[index].random
        let undo = fault.apply(self, &random)
        strikes[index].undo = undo
        if undo != nil, let seconds = fault.seconds {
            plan(
                .undo(index),
                in: random.milliseconds(seconds.lowerBound * 1_000...seconds.upperBound * 1_000))
        }
    }

    func undo(_ index: Int) {
        guard let undo = strikes[index].undo else { return }
        strikes[index].undo = nil
        note("fault", "over: \(strikes[index].fault.name)")
        undo(self)
    }

    /// Ends every trouble.
    func undoAll() {
        for index in strikes.indices { undo(index) }
    }

    /// A device that the dice choose.
    func device(_ random: inout SplitMix64) -> Device {
        devices[random.int(0...(devices.count - 1))]
    }

    /// A socket that the dice choose.
    func socket(_ random: inout SplitMix64) -> Socket? {
        let roll = random.int(0...1_000)
        return liveSockets.isEmpty ? nil : liveSockets[roll % liveSockets.count]
    }
}
