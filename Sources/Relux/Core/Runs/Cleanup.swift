/// An action that cleans up after a cancelled run.
struct Cleanup {
    let action: any Relux.Action
    let run: RunHandle
}

/// Which cancelled runs have their `actionOnCancel` reduced.
enum CleanupRule {
    case always
    case never
    /// Only the runs of other sagas.
    case notOf(Set<SagaID>)

    func applies(to run: RunHandle) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .notOf(let sagas): run.entry.runner.map { !sagas.contains($0.id) } ?? true
        }
    }
}
