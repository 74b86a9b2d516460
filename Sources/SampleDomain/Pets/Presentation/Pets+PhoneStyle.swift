public import Foundation

extension Pets {
    /// Writes an international telephone number in groups that can be read out: `+61 2 8555 1234`.
    ///
    /// The groups are those that are usual in some countries, and of three digits in all others. What is no
    /// international number stays as it is.
    public struct PhoneStyle: FormatStyle {
        /// The lengths of the groups after the code of a country. No code begins another one.
        private static let groups: [(code: String, lengths: [Int])] = [
            ("1", [3, 3, 4]), ("33", [1, 2, 2, 2, 2]), ("44", [2, 4, 4]), ("61", [1, 4, 4]), ("64", [1, 3, 4]),
        ]

        /// Makes a style.
        public init() {}

        /// Writes the number.
        ///
        /// - Parameter number: The number, as in `+61285551234`; spaces and hyphens may stand in it.
        /// - Returns: The text.
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

        /// Splits digits into groups of given lengths and, behind those, of three; none is of one digit.
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
