extension Simulation {
    /// The limits that end a run that would never end by itself, and whether time passes early.
    struct Limits: Sendable, Hashable {
        /// The defaults of an exploration or a replay.
        private static let standard = Limits(jobs: 50_000, time: .seconds(366 * 86_400), passesEarly: true)

        let jobs: Int
        let time: Duration
        /// Whether time may pass while code can still run.
        let passesEarly: Bool

        /// The arguments of a replay with these limits, such as `, timePassesEarly: false`. Empty for the defaults.
        var arguments: String {
            var arguments = ""
            if jobs != Self.standard.jobs { arguments += ", jobLimit: \(jobs)" }
            if time != Self.standard.time { arguments += ", timeLimit: \(time.expression)" }
            if passesEarly != Self.standard.passesEarly { arguments += ", timePassesEarly: \(passesEarly)" }
            return arguments
        }
    }
}

extension Duration {
    /// The exact duration in Swift, such as `.milliseconds(1500)`.
    fileprivate var expression: String {
        let units: [(name: String, attoseconds: Int128)] = [
            ("seconds", 1_000_000_000_000_000_000), ("milliseconds", 1_000_000_000_000_000),
            ("microseconds", 1_000_000_000_000), ("nanoseconds", 1_000_000_000),
        ]
        guard let unit = units.first(where: { attoseconds.isMultiple(of: $0.attoseconds) }) else {
            return "Duration(attoseconds: \(attoseconds))"
        }
        return ".\(unit.name)(\(attoseconds / unit.attoseconds))"
    }
}
