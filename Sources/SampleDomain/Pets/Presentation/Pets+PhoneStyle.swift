public import Foundation

extension Pets {
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
        ///
        /// - Parameter number: The number, such as `+61285551234`. It may contain spaces and hyphens.
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
