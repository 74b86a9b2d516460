import Testing

@testable import Relux

/// A table of runs with the numbers that the store would give.
struct RunTableDriver {
    let table = TestedRunTable()
    var now = Duration.zero
    private(set) var lastRun: RunTable.RunID = 0
    private var lastGroup: RunTable.GroupID = 0

    /// One trigger of one saga, in a group of its own.
    @discardableResult
    mutating func admit(
        _ policy: Relux.Policy, of responder: RunTable.ResponderID = 1, parent: RunTable.RunID? = nil,
        isWatcher: Bool = false
    ) -> (run: RunTable.RunID, group: RunTable.GroupID, placement: RunTable.Placement, changes: RunTable.Changes) {
        lastRun += 1
        lastGroup += 1
        let (run, group) = (lastRun, lastGroup)
        table.openGroup(group)
        let (placement, changes) = table.admit(
            run, of: responder, policy: policy, group: group, parent: parent, isWatcher: isWatcher, now: now
        )
        let sealed = table.sealGroup(group)
        // What was dropped never joined its group, which is complete at once.
        #expect(sealed.completed == (placement == .drop ? [group] : []))
        return (run, group, placement, changes)
    }

    /// Only the run's id, for tests to which the rest doesn't matter.
    mutating func run(
        _ policy: Relux.Policy, of responder: RunTable.ResponderID = 1, parent: RunTable.RunID? = nil
    ) -> RunTable.RunID {
        admit(policy, of: responder, parent: parent).run
    }

    mutating func makeGroup() -> RunTable.GroupID {
        lastGroup += 1
        return lastGroup
    }

    /// The group of a run that is there.
    func group(of run: RunTable.RunID) -> RunTable.GroupID { table.runs[run]?.group ?? 0 }

    func phase(of run: RunTable.RunID) -> RunTable.Phase? { table.runs[run]?.phase }
}

extension RunTable.Changes {
    /// The runs that were superseded.
    var superseded: [RunTable.RunID] { halted.filter { $0.ending == .superseded }.map(\.run) }

    /// The runs that were cancelled.
    var cancelled: [RunTable.RunID] { halted.filter { $0.ending == .cancelled }.map(\.run) }
}

extension NumberList {
    /// The numbers in their order.
    var numbers: [UInt64] {
        var numbers: [UInt64] = []
        forEach { numbers.append($0) }
        return numbers
    }
}
