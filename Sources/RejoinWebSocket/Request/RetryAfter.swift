package import Foundation

/// Reads `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
///
/// - Parameter now: The calendar time against which a date is judged.
/// - Returns: `nil` where the value is neither; zero where the date has passed. More than a day
///   is cut to a day: a client that believed a mistaken header would never come back.
package func retryAfter(_ value: String, now: Date) -> Duration? {
    let text = value.trimmingCharacters(in: .whitespaces)
    let longest = Duration.seconds(86_400)
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        guard let seconds = Int64(text) else { return longest }
        return min(.seconds(seconds), longest)
    }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = formatter.date(from: text) else { return nil }
    return min(max(.seconds(date.timeIntervalSince(now)), .zero), longest)
}
