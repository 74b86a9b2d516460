public import Foundation
public import SampleServices

extension Pets {
    /// Formats a day. The result doesn't depend on a time zone.
    public struct DayStyle: FormatStyle {
        private let locale: Locale
        private let calendar: Calendar

        /// Creates a style.
        ///
        /// - Parameters:
        ///   - locale: The locale for dates.
        ///   - calendar: The calendar for years, months, and days.
        public init(locale: Locale, calendar: Calendar) {
            self.locale = locale
            self.calendar = calendar
        }

        /// Formats the day.
        public func format(_ day: Pet.Day) -> String {
            let style = Date.FormatStyle(
                date: .abbreviated, time: .omitted, locale: locale, calendar: calendar, timeZone: .gmt
            )
            return day.noon.map(style.format) ?? day.description
        }
    }
}
