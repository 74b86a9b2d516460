import Relux

/// A condition that must hold in every store.
struct Invariant: Sendable {
    /// How a store violates the invariant.
    private struct Violation {
        /// The states to show.
        let states: [Relux.ScopedState]
        /// The error that the condition threw; nil if it doesn't hold.
        var error: (any Error)?
    }

    let name: String
    /// Notes whether there was a state to check; nil if the invariant may read any states.
    let check: StatedCheck?
    /// Where the invariant was stated.
    private let site: Relux.CallSite
    private let violation: @Sendable (borrowing Relux.StateReader) -> Violation?

    /// Creates an invariant of all states together.
    init(
        _ name: String, at site: Relux.CallSite,
        _ holds: @escaping @Sendable (borrowing Relux.StateReader) throws -> Bool
    ) {
        self.name = name
        self.site = site
        check = nil
        violation = { states in
            do {
                return try holds(states) ? nil : Violation(states: states.allStates)
            } catch {
                return Violation(states: states.allStates, error: error)
            }
        }
    }

    /// Creates an invariant of each state of a type, in every scope that has one.
    init<S: Relux.State>(
        _ name: String, at site: Relux.CallSite, of type: S.Type, _ holds: @escaping @Sendable (S) throws -> Bool
    ) {
        self.name = name
        self.site = site
        let check = StatedCheck(
            warning: "“\(name)” (\(site)) was never checked, because no run had a \(TypeName.short(S.self)).")
        self.check = check
        violation = { states in
            for scoped in states.allStates {
                guard let state = scoped.state as? S else { continue }
                check.noteUse()
                do {
                    guard try holds(state) else { return Violation(states: [scoped]) }
                } catch {
                    return Violation(states: [scoped], error: error)
                }
            }
            return nil
        }
    }

    /// Returns a description of the violation, or nil if the invariant holds.
    ///
    /// - Parameter when: When it was checked, such as `at the end`.
    func breach(_ states: borrowing Relux.StateReader, _ when: @autoclosure () -> String) -> String? {
        guard let violation = violation(states) else { return nil }
        let verdict = violation.error.map { "can't be checked \(when()): \(ErrorText.line($0))" }
        let states = Relux.ScopedState.text(of: violation.states)
        return "“\(name)” (\(site)) \(verdict ?? "doesn't hold \(when()).")\(states)"
    }
}
