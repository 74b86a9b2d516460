public import Foundation
public import SampleServices

extension Pets {
    /// Writes how old somebody is: in years; below one year in months, and below one month in days.
    ///
    /// Who was born on a 29th of February grows older on the first of March where there is no such day.
    public struct AgeStyle: FormatStyle {
        private let now: Date
        private let timeZone: TimeZone
        private let locale: Locale

        /// Makes a style.
        ///
        /// - Parameters:
        ///   - now: The time that the age is counted to.
        ///   - timeZone: Whose midnight it is that ends a day.
        ///   - locale: How numbers are written.
        public init(now: Date, timeZone: TimeZone, locale: Locale) {
            self.now = now
            self.timeZone = timeZone
            self.locale = locale
        }

        /// Writes the age.
        ///
        /// - Parameter birthday: When somebody was born.
        /// - Returns: The age; nil where the birthday is yet to come.
        public func format(_ birthday: Pet.Day) -> String? {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            let today = calendar.dateComponents([.year, .month, .day], from: now)
            guard let year = today.year, let month = today.month, let day = today.day else { return nil }
            let months = (year - birthday.year) * 12 + month - birthday.month - (day < birthday.day ? 1 : 0)
            if months >= 12 { return count(months / 12, "year") }
            if months >= 1 { return count(months, "month") }
            guard months == 0, let first = birthday.noon, let last = Pet.Day(year: year, month: month, day: day)?.noon
            else { return nil }
            return count(Int((last.timeIntervalSince(first) / 86_400).rounded()), "day")
        }

        private func count(_ number: Int, _ unit: String) -> String {
            "\(number.formatted(.number.locale(locale))) \(unit)\(number == 1 ? "" : "s")"
        }
    }
}

extension Pet.Day {
    /// The middle of the day in Greenwich.
    var noon: Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
    }
}
