import RejoinTime

/// The identities of the headers in a list. One that a message no longer needs goes to the message
/// that now begins the day, so that the header stays while history is put before it.
struct DayHeaders: Sendable {
    private var serials: [WallTime: [UInt32]] = [:]
    /// Identities given up during an update, latest last.
    private var released: [WallTime: [DayID]] = [:]

    /// Gives up an identity; ``take(_:)`` hands it out again before the update ends.
    mutating func release(_ id: DayID) { released[id.start, default: []].append(id) }

    /// An identity for a header of a day: one given up before, else a new one.
    mutating func take(_ day: WallTime) -> DayID {
        if let id = released[day]?.first {
            released[day]?.removeFirst()
            return id
        }
        let used = serials[day, default: []]
        let serial = (0...UInt32(used.count)).first { !used.contains($0) } ?? UInt32(used.count)
        serials[day, default: []].append(serial)
        return DayID(start: day, serial: serial)
    }

    /// Forgets what nobody took.
    mutating func endUpdate() {
        for (day, ids) in released {
            let kept = serials[day, default: []].filter { serial in
                !ids.contains { $0.serial == serial }
            }
            serials[day] = kept.isEmpty ? nil : kept
        }
        released = [:]
    }
}
