import Relux

/// A random number generator whose numbers follow from its seed.
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// let action = actions.randomElement(using: &generator)
/// ```
///
/// It is SplitMix64: Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014, with the constants of Sebastiano Vigna's public-domain version. The numbers are the same on every platform and
/// in every release; what the standard library makes of them (`shuffled`, `random(in:)`) may change with the library.
/// They are good enough to explore with, and not for secrets.
///
/// A value: a copy goes on with the same numbers.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Makes a generator.
    ///
    /// - Parameter seed: What all numbers follow from. Neighbouring seeds give unrelated numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    ///
    /// - Returns: A number from all of `UInt64`, each equally likely. They repeat after 2⁶⁴.
    public mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        return SplitMix64.number(at: state)
    }

    /// A number below a bound, the same on every platform and in every release.
    ///
    /// - Parameter bound: What the number stays below; at least one.
    /// - Returns: A number from zero on, each as likely as the others but for one part in 2⁶⁴ / `bound`.
    package mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
