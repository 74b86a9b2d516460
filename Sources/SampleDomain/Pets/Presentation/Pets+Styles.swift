public import Foundation
public import SampleServices

extension Pets {
    /// Formats an age: in years, in months if it is below one year, and in days if it is below one month.
    ///
    /// The age of somebody born on 29 February increases on 1 March in years without that day.
    public struct AgeStyle: FormatStyle {
        private let now: Date
        private let timeZone: TimeZone
        private let locale: Locale

        /// Creates a style.
        public init(now: Date, timeZone: TimeZone, locale: Locale) {
            self.now = now
            self.timeZone = timeZone
            self.locale = locale
        }

        /// Formats the age.
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
    /// The middle of the day in GMT.
    var noon: Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12))
    }
}

extension Pets {
    /// Formats a day. The result doesn't depend on a time zone.
    public struct DayStyle: FormatStyle {
        private let locale: Locale
        private let calendar: Calendar

        /// Creates a style.
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

    /// Formats an international telephone number in readable groups: `+61 2 8555 1234`.
    ///
    /// For some countries the groups are the customary ones. For all others they have three digits. Text that isn't an
    /// international number is returned unchanged.
    public struct PhoneStyle: FormatStyle {
        /// The lengths of the groups after a country code. No code is a prefix of another one.
        private static let groups: [(code: String, lengths: [Int])] = [
            ("1", [3, 3, 4]), ("33", [1, 2, 2, 2, 2]), ("44", [2, 4, 4]), ("61", [1, 4, 4]), ("64", [1, 3, 4]),
        ]

        /// Creates a style.
        public init() {}

        /// Formats the number.
        public func format(_ number: String) -> String {
            guard number.first == "+" else { return number }
            let digits = number.dropFirst().filter { $0 != " " && $0 != "-" }
            guard (7...15).contains(digits.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
                return number
            }
            let usual = Self.groups.first { digits.hasPrefix($0.code) }
            if let usual, digits.count == usual.code.count + usual.lengths.reduce(0, +) {
                return "+" + split(digits, [usual.code.count] + usual.lengths)
            }
            return "+" + split(digits, [])
        }

        /// Splits digits into groups of the given lengths, followed by groups of three or four, so that no group has a
        /// single digit.
        private func split(_ digits: String, _ lengths: [Int]) -> String {
            var (rest, groups) = (digits[...], [Substring]())
            for length in lengths { groups.append(rest.prefix(length)); rest = rest.dropFirst(length) }
            while !rest.isEmpty {
                let length = rest.count == 4 ? 4 : 3
                groups.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            return groups.joined(separator: " ")
        }
    }
}

extension Pet.Colour {
    /// The colour in the form `#C68642`.
    public var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
