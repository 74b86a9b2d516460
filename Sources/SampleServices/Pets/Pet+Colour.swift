extension Pet {
    /// A colour, by the amounts of light that make it.
    public struct Colour: Sendable, Hashable {
        /// The amount of red.
        public let red: UInt8

        /// The amount of green.
        public let green: UInt8

        /// The amount of blue.
        public let blue: UInt8

        /// Makes a colour.
        ///
        /// - Parameters:
        ///   - red: The amount of red.
        ///   - green: The amount of green.
        ///   - blue: The amount of blue.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Reads a colour written as in `#c68642`; nil where it is written otherwise.
        ///
        /// - Parameter text: The colour.
        public init?(_ text: String) {
            let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else { return nil }
            red = UInt8(digits[0] << 4 | digits[1])
            green = UInt8(digits[2] << 4 | digits[3])
            blue = UInt8(digits[4] << 4 | digits[5])
        }
    }
}
