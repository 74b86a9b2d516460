extension Duration {
    /// The exact duration as a decimal number with its unit: `16180 s`, `0.25 s`, `-1.5 µs`.
    ///
    /// Nothing is rounded. (`Duration.description` computes with `Double`, and turns 16180 seconds into
    /// `16179.999999999998 seconds`.) The unit is seconds for a millisecond or more, otherwise microseconds or
    /// nanoseconds.
    package var decimalText: String {
        let magnitude = attoseconds.magnitude
        let (unit, attosecondsPerUnit): (String, UInt128) =
            switch magnitude {
            case 0, 1_000_000_000_000_000...: ("s", 1_000_000_000_000_000_000)
            case 1_000_000_000_000...: ("µs", 1_000_000_000_000)
            default: ("ns", 1_000_000_000)
            }
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: attosecondsPerUnit)
        var text = attoseconds < 0 ? "-\(whole)" : "\(whole)"
        if rest > 0 {
            // The leading 1 keeps the zeros behind the point.
            var digits = String(attosecondsPerUnit + rest).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            text += ".\(digits)"
        }
        return "\(text) \(unit)"
    }
}
