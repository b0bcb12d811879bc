/// A day of the Gregorian calendar, as `expires` names it.
package struct CalendarDay: Hashable, Comparable, Sendable {
    private let year: Int
    private let month: Int
    private let day: Int

    /// Reads `YYYY-MM-DD`; `nil` for anything else, and for days that do not exist.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2],
            parts.joined().allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
        else { return nil }
        let numbers = parts.compactMap { String($0).flatMap { Int($0) } }
        guard numbers.count == 3, (1...12).contains(numbers[1]) else { return nil }
        (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard day >= 1, day <= Self.days(in: month, of: year) else { return nil }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
