/// A random number generator with random access: SplitMix64, by Guy Steele, Doug Lea, and Christine Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014, with the constants of Sebastiano Vigna's public-domain
/// version.
package enum SplitMix64 {
    /// The difference between the states of two consecutive numbers.
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The number that belongs to a state. Neighbouring states give unrelated numbers.
    package static func number(at state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
