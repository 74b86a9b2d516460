import Foundation

/// Dates in the format of the files: ISO 8601 in UTC, with milliseconds.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The end of the year 9999. The format has no place for later years.
    private static let last = Date(timeIntervalSince1970: 253_402_300_799.999)

    /// Parses a date. The result is nil if the text isn't one.
    static func date(_ text: String) -> Date? {
        (try? style.parse(text)).map(rounded)
    }

    /// Formats a date.
    static func text(_ date: Date) -> String {
        // The style truncates to milliseconds. Without the added half, a date that was read could be written one
        // millisecond earlier, and would become earlier with every save.
        style.format(min(max(date, .distantPast), last).addingTimeInterval(0.000_5))
    }

    /// The date as it will be read back, rounded to milliseconds.
    static func rounded(_ date: Date) -> Date {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        let milliseconds = ((date.timeIntervalSinceReferenceDate - seconds) * 1_000).rounded()
        return Date(timeIntervalSinceReferenceDate: seconds + milliseconds / 1_000)
    }
}
