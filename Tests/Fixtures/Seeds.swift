import Foundation

/// The seeds that a test tries.
///
/// By itself, a test tries all of them. Where many commits are tested, `RELUX_SEEDS` says how many are tried at most,
/// and `RELUX_FIRST_SEED`, which is another one in each commit, from where on, so that all have their turn.
///
/// - Parameter count: The number of all.
package func seeds(_ count: UInt64) -> Range<UInt64> {
    guard let wanted = number("RELUX_SEEDS"), wanted < count else { return 0..<count }
    let first = (number("RELUX_FIRST_SEED") ?? 0) % (count - wanted + 1)
    return first..<first + wanted
}

/// The seeds of a test that has no end: so many by default, or as many as an environment variable says, from
/// `RELUX_FIRST_SEED` on.
package func seeds(_ count: UInt64, or variable: String) -> Range<UInt64> {
    let first = number("RELUX_FIRST_SEED") ?? 0
    return first..<first + (number(variable) ?? count)
}

private func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
}
