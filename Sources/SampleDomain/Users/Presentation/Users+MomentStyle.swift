public import Foundation

extension Users {
    /// Writes a moment of the past: today's with the time alone, any other with the day before it.
    public struct MomentStyle: FormatStyle {
        private let now: Date
        private let locale: Locale
        private let timeZone: TimeZone
        private let calendar: Calendar

        /// Makes a style.
        ///
        /// - Parameters:
        ///   - now: The moment that is now.
        ///   - locale: How dates are written.
        ///   - timeZone: Whose time it is, and whose midnight that ends a day.
        ///   - calendar: How years, months and days are counted.
        public init(now: Date, locale: Locale, timeZone: TimeZone, calendar: Calendar) {
            self.now = now
            self.locale = locale
            self.timeZone = timeZone
            self.calendar = calendar
        }

        /// Writes the moment.
        ///
        /// - Parameter moment: The moment.
        /// - Returns: The text.
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
