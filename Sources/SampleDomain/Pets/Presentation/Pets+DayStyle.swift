public import Foundation
public import SampleServices

extension Pets {
    /// Writes a day. It is the same day for everybody, wherever they are.
    public struct DayStyle: FormatStyle {
        private let locale: Locale
        private let calendar: Calendar

        /// Makes a style.
        ///
        /// - Parameters:
        ///   - locale: How dates are written.
        ///   - calendar: How years, months and days are counted.
        public init(locale: Locale, calendar: Calendar) {
            self.locale = locale
            self.calendar = calendar
        }

        /// Writes the day.
        ///
        /// - Parameter day: The day.
        /// - Returns: The text.
        public func format(_ day: Pet.Day) -> String {
            let style = Date.FormatStyle(
                date: .abbreviated, time: .omitted, locale: locale, calendar: calendar, timeZone: .gmt
            )
            return day.noon.map(style.format) ?? day.description
        }
    }
}
