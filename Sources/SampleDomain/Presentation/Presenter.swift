public import Foundation

/// Converts the states of features to text for display. Each feature extends it.
///
/// A front end shows the texts unchanged and decides only on their layout. Texts from the service are not sanitized for
/// a terminal.
public struct Presenter: Sendable {
    /// The locale for numbers and dates.
    public var locale: Locale

    /// The time zone of the displayed times, which determines the current day.
    public var timeZone: TimeZone

    /// The calendar for displayed dates.
    public var calendar: Calendar

    /// Returns the current date.
    public var now: @Sendable () -> Date

    /// Creates a presenter. The defaults are the user's settings.
    public init(
        locale: Locale = .current,
        timeZone: TimeZone = .current,
        calendar: Calendar = .current,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.locale = locale
        self.timeZone = timeZone
        self.calendar = calendar
        self.now = now
    }

    /// The text that is shown for unknown values.
    public static let unknown = "unknown"

    /// A day.
    func date(_ date: Date) -> String { self.date(date, in: timeZone) }

    func date(_ date: Date, in zone: TimeZone) -> String {
        Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale, calendar: calendar, timeZone: zone)
            .format(date)
    }
}
