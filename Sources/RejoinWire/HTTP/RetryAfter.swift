/// The `Retry-After` header (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// How long the server asks to wait; `nil` where it does not say so in a readable way.
    ///
    /// A date is counted from the `Date` header of the same response: both come from the server's
    /// clock, while the device's may be wrong by hours.
    static func duration(in headers: HTTPHeaders) -> Duration? {
        guard let value = headers["Retry-After"]?.trimmingSpaces else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
            // More than a year is as good as a year, and cannot overflow anywhere.
            return .seconds(min(Int64(value) ?? .max, 31_536_000))
        }
        guard let until = HTTPDate.seconds(value),
            let now = headers["Date"].flatMap({ HTTPDate.seconds($0.trimmingSpaces) })
        else { return nil }
        return .seconds(min(max(0, until - now), 31_536_000))
    }

    /// The header's value: whole seconds, rounded up.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return String(max(0, attoseconds > 0 ? seconds + 1 : seconds))
    }
}

/// Dates of HTTP in the three forms that a recipient must take (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970-01-01 00:00:00 UTC; `nil` where it is no such date.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
            return seconds(day: words[1], month: words[2], year: words[3], time: words[4])
        case 5:
            // Sun Nov  6 08:49:37 1994
            return seconds(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(day: String, month: String, year: String, time: String) -> Int64? {
        let clock = time.split(separator: ":").compactMap { Int64($0) }
        guard let month = months.firstIndex(of: month), let day = Int64(day),
            var year = Int64(year), (1...31).contains(day), (0...9999).contains(year),
            clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        // Two digits: RFC 850. No server speaks of times before 1970.
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        let days = daysSinceEpoch(year: year, month: Int64(month) + 1, day: day)
        return days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    }

    /// Days of the Gregorian calendar, counted in eras of 400 years that start on 1 March.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension String {
    /// Without spaces and tabs at its ends, which are not part of a header's value.
    var trimmingSpaces: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var slice = drop(while: isSpace)
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return String(slice)
    }
}
