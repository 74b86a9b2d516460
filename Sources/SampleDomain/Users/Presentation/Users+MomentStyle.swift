public import Foundation

extension Users {
    /// Formats a date in the past: with only the time if it is today, otherwise with the day before the time.
    public struct MomentStyle: FormatStyle {
        private let now: Date
        private let locale: Locale
        private let timeZone: TimeZone
        private let calendar: Calendar

        /// Creates a style.
        ///
        /// - Parameters:
        ///   - now: The current date.
        ///   - locale: The locale for dates.
        ///   - timeZone: The time zone of the displayed times and of the current day.
        ///   - calendar: The calendar for years, months, and days.
        public init(now: Date, locale: Locale, timeZone: TimeZone, calendar: Calendar) {
            self.now = now
            self.locale = locale
            self.timeZone = timeZone
            self.calendar = calendar
        }

        /// Formats the date.
        public func format(_ moment: Date) -> String {
            var calendar = calendar
            calendar.timeZone = timeZone
            let isToday = calendar.isDate(moment, inSameDayAs: now)
            return Date.FormatStyle(
                date: isToday ? .omitted : .abbreviated, time: .shortened, locale: locale, calendar: calendar,
                timeZone: timeZone
            ).format(moment)
        }
    }
}
