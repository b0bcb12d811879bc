internal import RejoinTime

/// The story of a run, line by line. It costs nothing while it is off.
struct Trace {
    let isOn: Bool
    private(set) var lines: [String] = []

    init(isOn: Bool) {
        self.isOn = isOn
    }

    mutating func note(
        _ now: Instant, _ who: @autoclosure () -> String, _ what: @autoclosure () -> String
    ) {
        guard isOn else { return }
        lines.append("\(Self.clock(now))  \(who().padded(to: 10))  \(what())")
    }

    /// Minutes, seconds and milliseconds of virtual time.
    static func clock(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds / 1_000_000
        let minutes = milliseconds / 60_000
        let rest = milliseconds % 60_000
        return "\(minutes.digits(2)):\((rest / 1_000).digits(2)).\((rest % 1_000).digits(3))"
    }
}

extension Int64 {
    fileprivate func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
