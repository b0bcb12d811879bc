internal import RejoinPipeline
internal import RejoinTransport

// What must hold inside of the cores: no timer without an owner, and every buffer within its limit.
//
// It is looked at with every fourth input, where a timer was set or called off since, and with
// every sixteenth in any case: a timer that nobody waits for, and a buffer that has outgrown its
// limit, stay wrong for longer than that.

extension Oracle {
    /// A room's cores have taken an input, and its effects are executed.
    func handled(_ room: DeviceRoom, _ device: Device, in world: World) {
        room.steps += 1
        guard room.steps % 4 == 0, room.timers.isChanged || room.steps % 16 == 0 else { return }
        room.timers.isChanged = false
        let timers = room.timers
        guard let fault = room.session.fault(armed: { timers[$0] }) else { return }
        switch fault {
        case .limit:
            report(
                .boundExceeded, place(device, room), in: world,
                expected: "every buffer within its limit", got: "one that holds more",
                whoIsHurt: "phones that run out of memory", key: "limits")
        case .timer(let timer):
            report(
                .boundExceeded, place(device, room), in: world,
                expected: "each timer set exactly while a core waits for it",
                got: "the timer \(timer) set for \(room.timers[timer].map(Trace.clock) ?? "never")",
                whoIsHurt: "people who wait for what nobody does, and batteries",
                key: "timer \(timer)")
        }
    }

    /// The transport's core has taken an input, and its effects are executed.
    func handled(_ device: Device, in world: World) {
        device.steps += 1
        guard device.steps % 16 == 0 else { return }
        if device.stompTimer != device.stomp.deadline {
            report(
                .boundExceeded, device.name, in: world,
                expected: "the session's timer set exactly while it waits for it",
                got: "set for \(device.stompTimer.map(Trace.clock) ?? "never")",
                whoIsHurt: "people who wait for what nobody does, and batteries", key: "timer")
        }
        if !device.stomp.isWithinLimits {
            report(
                .boundExceeded, device.name, in: world, expected: "every buffer within its limit",
                got: "one that holds more", whoIsHurt: "phones that run out of memory",
                key: "limits")
        }
    }
}
