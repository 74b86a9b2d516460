import Relux

/// A random number generator whose numbers are determined by its seed.
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// let action = actions.randomElement(using: &generator)
/// ```
///
/// It is SplitMix64: Guy Steele, Doug Lea and Christine Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014, with the constants of Sebastiano Vigna's public-domain version. The numbers are the same on every platform and
/// in every release, but what the standard library derives from them (`shuffled`, `random(in:)`) may change with the
/// library. They are good enough for exploration but must not be used for secrets.
///
/// The generator is a value: a copy continues with the same numbers.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: Determines all numbers. Neighbouring seeds give unrelated numbers.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number, uniformly distributed over all of `UInt64`.
    ///
    /// The period of the sequence is 2⁶⁴.
    public mutating func next() -> UInt64 {
        state &+= SplitMix64.increment
        return SplitMix64.number(at: state)
    }

    /// Returns a number below a bound, the same on every platform and in every release.
    ///
    /// - Parameter bound: The exclusive upper bound; at least 1.
    /// - Returns: A number in `0..<bound`. All are equally likely, except for one part in 2⁶⁴ / `bound`.
    package mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
