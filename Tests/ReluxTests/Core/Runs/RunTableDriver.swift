import Testing

@testable import Relux

/// A table of runs with the numbers that the store would give.
struct RunTableDriver {
    let table = TestedRunTable()
    var now = Duration.zero
    private(set) var lastRun: RunID = 0
    private var lastGroup: GroupID = 0

    /// One trigger of one saga, in a group of its own.
    @discardableResult
    mutating func admit(
        _ policy: Relux.Policy, of saga: SagaID = 1, parent: RunID? = nil,
        isWatcher: Bool = false
    ) -> (run: RunID, group: GroupID, placement: RunPlacement, changes: TestedRunTable.Changes) {
        lastRun += 1
        lastGroup += 1
        let (run, group) = (lastRun, lastGroup)
        table.openGroup(group)
        let (placement, changes) = table.admit(
            run, of: saga, policy: policy, group: group, parent: parent, isWatcher: isWatcher, now: now
        )
        let sealed = table.sealGroup(group)
        // What was dropped never joined its group, which is complete at once.
        #expect(sealed.completed == (placement == .drop ? [group] : []))
        return (run, group, placement, changes)
    }

    /// Only the run's id, for tests to which the rest doesn't matter.
    mutating func run(
        _ policy: Relux.Policy, of saga: SagaID = 1, parent: RunID? = nil
    ) -> RunID {
        admit(policy, of: saga, parent: parent).run
    }

    mutating func makeGroup() -> GroupID {
        lastGroup += 1
        return lastGroup
    }

    /// The group of a run that is there.
    func group(of run: RunID) -> GroupID { table.runs[run]?.group ?? 0 }

    func phase(of run: RunID) -> RunPhase? { table.runs[run]?.phase }
}
