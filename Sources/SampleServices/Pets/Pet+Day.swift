import Foundation

extension Pet {
    /// A day of the Gregorian calendar. It has no time of day or time zone: it starts and ends in the reader's time
    /// zone.
    public struct Day: Sendable, Hashable {
        /// The year, from 1 to 9999.
        public let year: Int

        /// The month, starting at 1.
        public let month: Int

        /// The day of the month, starting at 1.
        public let day: Int

        /// Creates a day. The result is nil if the calendar has no such day.
        public init?(year: Int, month: Int, day: Int) {
            let calendar = Calendar(identifier: .gregorian)
            guard (1...9_999).contains(year),
                DateComponents(calendar: calendar, year: year, month: month, day: day).isValidDate
            else { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }

        /// Parses a day of the form `2021-03-09`. The result is nil for any other form, or if the calendar has no such
        /// day.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
            else { return nil }
            self.init(year: year, month: month, day: day)
        }
    }
}

extension Pet.Day: CustomStringConvertible {
    /// The day in the form `2021-03-09`.
    public var description: String { String(format: "%04d-%02d-%02d", year, month, day) }
}
