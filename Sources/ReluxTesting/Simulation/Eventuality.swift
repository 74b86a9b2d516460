import Relux

/// A condition that a scenario waits for.
///
/// - Isolation: Any thread. It is checked inside a store.
final class Eventuality: Sendable {
    private enum Phase {
        case open
        case waiting(CheckedContinuation<Bool, Never>)
        case ended(isMet: Bool)
    }

    private let condition: @Sendable (borrowing Relux.StateReader) -> Bool
    private let phase = Lock<Phase>(.open)

    /// Creates a condition that holds in a store if it holds for a state of a type, in any scope.
    ///
    /// - Parameter holds: Whether it holds for a state. If it throws, it doesn't.
    init<S: Relux.State>(of type: S.Type, _ holds: @escaping @Sendable (S) throws -> Bool) {
        condition = { states in
            states.allStates.contains { scoped in
                (try? (scoped.state as? S).map(holds)) == true
            }
        }
    }

    /// Ends the wait if the condition holds.
    func check(_ states: borrowing Relux.StateReader) {
        if condition(states) { end(isMet: true) }
    }

    /// The time is over.
    func expire() {
        end(isMet: false)
    }

    /// Waits until the condition holds or the time is over.
    ///
    /// Cancellation is ignored: at the end of a failed seed, the alarm's sleep is cut short, which ends the wait.
    ///
    /// - Returns: Whether the condition holds.
    nonisolated(nonsending) func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let isMet: Bool? = phase.withLock { phase in
                if case .ended(let isMet) = phase { return isMet }
                phase = .waiting(continuation)
                return nil
            }
            if let isMet { continuation.resume(returning: isMet) }
        }
    }

    private func end(isMet: Bool) {
        let waiting: CheckedContinuation<Bool, Never>? = phase.withLock { phase in
            switch phase {
            case .ended: return nil
            case .open:
                phase = .ended(isMet: isMet)
                return nil
            case .waiting(let continuation):
                phase = .ended(isMet: isMet)
                return continuation
            }
        }
        waiting?.resume(returning: isMet)
    }
}
