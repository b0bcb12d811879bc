import Foundation
import RejoinTime

extension WallTime {
    /// From the beginning of year 1 to the end of year 9999, in UTC.
    private static let readable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The time as calendars can take it: a server that tells a time beyond all years gets the
    /// first or the last one shown.
    var date: Date {
        let milliseconds = min(
            max(milliseconds, Self.readable.lowerBound), Self.readable.upperBound)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
