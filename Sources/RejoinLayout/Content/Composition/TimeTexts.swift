import Foundation
import RejoinModel
import RejoinTime

/// Times and days as the person writes them. Bounded: where too many are remembered, all are
/// forgotten.
struct TimeTexts {
    private static let limit = 4_096
    private let clock: Date.FormatStyle
    private let thisYear: Date.FormatStyle
    private let otherYear: Date.FormatStyle
    private let locale: Locale
    private var minutes: [Int64: String] = [:]

    init(_ environment: LayoutEnvironment) {
        func style(_ date: Date.FormatStyle.DateStyle?, _ time: Date.FormatStyle.TimeStyle?)
            -> Date.FormatStyle
        {
            Date.FormatStyle(
                date: date, time: time, locale: environment.locale,
                calendar: environment.calendar, timeZone: environment.timeZone)
        }
        locale = environment.locale
        clock = style(.omitted, .shortened)
        let day = style(nil, nil).weekday(.wide).day().month(.wide)
        thisYear = day
        otherYear = day.year()
    }

    /// The time of day.
    mutating func time(_ time: WallTime) -> String {
        let (quotient, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 60_000)
        let minute = rest < 0 ? quotient - 1 : quotient
        if let known = minutes[minute] { return known }
        if minutes.count >= Self.limit { minutes.removeAll(keepingCapacity: true) }
        let text = time.date.formatted(clock)
        minutes[minute] = text
        return text
    }

    /// The name of a day.
    func day(_ header: DateHeader, _ strings: LayoutStrings) -> String {
        switch header.relation {
        case .today: strings.today
        case .yesterday: strings.yesterday
        case .thisYear: header.start.date.formatted(thisYear)
        case .otherYear: header.start.date.formatted(otherYear)
        }
    }

    /// How long something plays: `3:05`, `1:00:00`.
    func duration(_ milliseconds: Int64?) -> String? {
        guard let milliseconds, milliseconds >= 0 else { return nil }
        let seconds = milliseconds / 1000
        let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return seconds < 3600
            ? "\(minutes):\(two(rest))" : "\(seconds / 3600):\(two(minutes)):\(two(rest))"
    }

    /// A file's size.
    func size(_ byteCount: Int64?, _ strings: LayoutStrings) -> String? {
        guard let byteCount, byteCount >= 0, let first = strings.byteUnits.first else { return nil }
        var number = Double(byteCount)
        var unit = first
        for next in strings.byteUnits.dropFirst() where number >= 1000 {
            number /= 1000
            unit = next
        }
        let digits = number < 10 && unit != first ? 1 : 0
        let text = number.formatted(
            .number.precision(.fractionLength(0...digits)).locale(locale))
        return "\(text) \(unit)"
    }
}
