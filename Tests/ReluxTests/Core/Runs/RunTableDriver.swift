import Testing

@testable import Relux

/// A run table together with the numbers that the store would assign.
struct RunTableDriver {
    let table = TestedRunTable()
    var now = Duration.zero
    private(set) var lastRun: RunID = 0
    private var lastGroup: GroupID = 0

    /// Admits a trigger of a saga, in a group of its own.
    @discardableResult
    mutating func admit(
        _ policy: Relux.Policy, of saga: SagaID = 1, parent: RunID? = nil,
        isWatcher: Bool = false, in scope: UInt64 = 0
    ) -> (run: RunID, group: GroupID, placement: RunPlacement, changes: TestedRunTable.Changes) {
        lastRun += 1
        lastGroup += 1
        let (run, group) = (lastRun, lastGroup)
        table.openGroup(group)
        let (placement, changes) = table.admit(
            run, of: saga, policy: policy, group: group, parent: parent, isWatcher: isWatcher, in: scope,
            now: now
        )
        let sealed = table.sealGroup(group)
        // A dropped run never joins its group, which is therefore complete immediately.
        #expect(sealed.completed == (placement == .drop ? [group] : []))
        return (run, group, placement, changes)
    }

    /// Returns only the run's id, for tests that don't need the rest.
    mutating func run(
        _ policy: Relux.Policy, of saga: SagaID = 1, parent: RunID? = nil
    ) -> RunID {
        admit(policy, of: saga, parent: parent).run
    }

    mutating func makeGroup() -> GroupID {
        lastGroup += 1
        return lastGroup
    }

    /// The group of a run in the table.
    func group(of run: RunID) -> GroupID { table.runs[run]?.group ?? 0 }

    func phase(of run: RunID) -> RunPhase? { table.runs[run]?.phase }
}
