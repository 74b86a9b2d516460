import ReluxTesting
import Testing

/// A classical bug: a scenario that goes wrong in some order, and its corrected version.
struct Bug: Sendable, CustomTestStringConvertible {
    let name: String
    let scenario: @Sendable (Simulation.World, _ isCorrected: Bool) async throws -> Void

    var testDescription: String { name }

    init(_ name: String, _ scenario: @escaping @Sendable (Simulation.World, Bool) async throws -> Void) {
        self.name = name
        self.scenario = scenario
    }

    static let all = responses + updates + resources
}
