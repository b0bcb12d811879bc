import Foundation
import RejoinModel
import RejoinTime

/// Tells days apart as the person's calendar does. Asking a calendar is slow and neighbours are
/// mostly of the same day, so it remembers the last one.
struct DayCounter: Sendable {
    private let calendar: Calendar
    private let today: WallTime
    private let yesterday: WallTime
    private let year: Int
    private var last: Range<Int64> = 0..<0

    init(_ environment: LayoutEnvironment) {
        var calendar = environment.calendar
        calendar.timeZone = environment.timeZone
        self.calendar = calendar
        let start = calendar.startOfDay(for: environment.today)
        today = WallTime(start)
        // The moment before a day begins lies in the day before, however long that day is.
        yesterday = WallTime(calendar.startOfDay(for: start.addingTimeInterval(-1)))
        year = calendar.component(.year, from: start)
    }

    /// When the day begins in which a time lies.
    mutating func day(of time: WallTime) -> WallTime {
        if !last.contains(time.milliseconds) {
            let date = time.date
            let start = WallTime(calendar.startOfDay(for: date)).milliseconds
            let end = calendar.dateInterval(of: .day, for: date).map {
                WallTime($0.end).milliseconds
            }
            last = start..<max(end ?? start, start + 1)
        }
        return WallTime(milliseconds: last.lowerBound)
    }

    /// What a header of a day shows.
    func header(_ day: WallTime) -> DateHeader {
        let relation: DateHeader.Relation =
            if day == today {
                .today
            } else if day == yesterday {
                .yesterday
            } else if calendar.component(.year, from: day.date) == year {
                .thisYear
            } else {
                .otherYear
            }
        return DateHeader(start: day, relation: relation)
    }
}

extension WallTime {
    fileprivate init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
