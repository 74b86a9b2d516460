extension Pet {
    /// A day of the Gregorian calendar. It has no time of day, and so begins and ends with whoever reads it.
    public struct Day: Sendable, Hashable, Codable {
        /// The year, from 1 to 9999.
        public let year: Int

        /// The month, from 1.
        public let month: Int

        /// The day of the month, from 1.
        public let day: Int

        /// Makes a day; nil where the calendar has none like it.
        ///
        /// - Parameters:
        ///   - year: The year, from 1 to 9999.
        ///   - month: The month, from 1.
        ///   - day: The day of the month, from 1.
        public init?(year: Int, month: Int, day: Int) {
            guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
                day <= Self.length(ofMonth: month, year)
            else { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }

        /// Reads a day written as in `2021-03-09`; nil where it is written otherwise, or is none of the calendar.
        ///
        /// - Parameter text: The day.
        public init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
                let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
            else { return nil }
            self.init(year: year, month: month, day: day)
        }

        private static func length(ofMonth month: Int, _ year: Int) -> Int {
            switch month {
            case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }
    }
}

extension Pet.Day: CustomStringConvertible {
    /// The day, written as in `2021-03-09`.
    public var description: String {
        "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
