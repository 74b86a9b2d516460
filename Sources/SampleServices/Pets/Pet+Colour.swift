extension Pet {
    /// A colour, as its red, green, and blue components.
    public struct Colour: Sendable, Hashable {
        /// The red component.
        public let red: UInt8

        /// The green component.
        public let green: UInt8

        /// The blue component.
        public let blue: UInt8

        /// Creates a colour from its components.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Parses a colour of the form `#c68642`. The result is nil for any other form.
        public init?(_ text: String) {
            let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else { return nil }
            red = UInt8(digits[0] << 4 | digits[1])
            green = UInt8(digits[2] << 4 | digits[3])
            blue = UInt8(digits[4] << 4 | digits[5])
        }
    }
}
