extension String {
    /// The text with everything escaped that could control a terminal, break the line, or change the direction of text.
    var visible: String {
        guard unicodeScalars.contains(where: \.isCommand) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isCommand {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isCommand: Bool {
        switch value {
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
