import Foundation

/// Dates as files keep them: ISO 8601 in UTC, to the millisecond.
enum Timestamp {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The date that a text stands for, if it is one.
    static func date(_ text: String) -> Date? {
        try? style.parse(text)
    }

    /// The text that stands for a date.
    static func text(_ date: Date) -> String {
        // The style cuts off what is below a millisecond. Without the half, what has been read could be written as a
        // millisecond less, and a date would grow older with every save.
        style.format(min(max(date, .distantPast), .distantFuture).addingTimeInterval(0.000_5))
    }

    /// The date as it will be read again.
    static func rounded(_ date: Date) -> Date {
        self.date(text(date)) ?? date
    }
}
