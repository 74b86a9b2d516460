extension Pet {
    /// A day of the Gregorian calendar. It has no time of day or time zone: it starts and ends in the reader's time
    /// zone.
    public struct Day: Sendable, Hashable, Codable {
        /// The year, from 1 to 9999.
        public let year: Int

        /// The month, starting at 1.
        public let month: Int

        /// The day of the month, starting at 1.
        public let day: Int

        /// Creates a day. The result is nil if the calendar has no such day.
        public init?(year: Int, month: Int, day: Int) {
            guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
                day <= Timestamp.length(ofMonth: month, in: year)
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
    public var description: String {
        "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
