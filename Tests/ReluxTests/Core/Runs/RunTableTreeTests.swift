import Testing

@testable import Relux

@Suite("Run table: cancellation trees and groups")
struct RunTableTreeTests {
    // MARK: Trees

    @Test("cancelling a run cancels what it performs, children before their parents")
    func downTheTree() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)
        driver.admit(.concurrent, parent: 2)
        driver.admit(.concurrent, parent: 1)
        driver.admit(.concurrent)

        let changes = driver.table.cancel([1])

        #expect(changes.cancelled == [3, 2, 4, 1])
        #expect(changes.completed == [])
        #expect(driver.table.isLive(5))
        #expect((1...4).allSatisfy { driver.phase(of: $0) == .dying(.cancelled) })
    }

    // These used to overflow the stack: halting a run called itself for each child.
    @Test(
        "a chain of performs is cancelled however long it is, children before their parents", arguments: [false, true])
    func longChains(isStackSmall: Bool) async {
        let count: RunID = isStackSmall ? 5_000 : 40_000
        let thread = ThreadExecutor()
        defer { thread.end() }

        let cancelled = await Task(executorPreference: isStackSmall ? thread.tasks : nil) {
            var driver = RunTableDriver()
            for run in 1...count { driver.admit(.concurrent, of: run, parent: run == 1 ? nil : run - 1) }
            return driver.table.cancel([1]).cancelled
        }.value

        #expect(cancelled == (1...count).reversed())
    }

    @Test("a chain of performs is superseded however long it is")
    func longChainIsSuperseded() {
        let count: RunID = 40_000
        var driver = RunTableDriver()
        driver.admit(.latest)
        for run in 2...count { driver.admit(.concurrent, of: 2, parent: run - 1) }

        let changes = driver.admit(.latest).changes

        #expect(changes.cancelled == (2...count).reversed())
        #expect(changes.superseded == [1])
    }

    @Test("the children of a superseded run are cancelled")
    func childrenOfASupersededRun() {
        var driver = RunTableDriver()
        driver.admit(.latest)
        driver.admit(.concurrent, of: 2, parent: 1)

        let changes = driver.admit(.latest).changes

        #expect(changes.cancelled == [2])
        #expect(changes.superseded == [1])
    }

    @Test("the other runs of a trigger that supersedes its own performer continue", arguments: [true, false])
    func siblingsOfASupersedingRun(isSiblingFirst: Bool) {
        var driver = RunTableDriver()
        driver.admit(.latest)
        let group = driver.makeGroup()
        driver.table.openGroup(group)

        // The sibling used to be cancelled with the performer if its saga was registered first.
        var cancelled: [RunID] = []
        for run in 2...3 as ClosedRange<RunID> {
            let isSibling = (run == 2) == isSiblingFirst
            let changes = driver.table.admit(
                run, of: isSibling ? 2 : 1, policy: isSibling ? .concurrent : .latest, group: group, parent: 1,
                now: .zero
            ).changes
            cancelled += changes.cancelled
        }

        #expect(cancelled == [])
        #expect(driver.phase(of: 1) == .dying(.superseded))
        #expect(driver.table.isLive(2) && driver.table.isLive(3))
        #expect(driver.table.runs[2]?.parent == nil && driver.table.runs[3]?.parent == nil)
    }

    @Test("cancelling a child leaves its parent alone")
    func notUpTheTree() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)

        #expect(driver.table.cancel([2]).cancelled == [2])
        #expect(driver.table.isLive(1))
    }

    @Test("queued and pending children are removed with their parent")
    func waitingChildren() {
        var driver = RunTableDriver()
        driver.admit(.serial, of: 2)
        driver.admit(.concurrent)
        driver.admit(.serial, of: 2, parent: 2)
        driver.admit(.debounce(.seconds(1)), of: 3, parent: 2)

        let changes = driver.table.cancel([2])

        #expect(changes.cancelled == [3, 4, 2])
        #expect(changes.completed == [3, 4])
        #expect(driver.table.runs.keys.sorted() == [1, 2])
    }

    @Test("a run ends once, and a second end changes nothing")
    func once() {
        var driver = RunTableDriver()
        driver.admit(.latest)
        _ = driver.table.cancel([1])

        #expect(driver.table.cancel([1]) == TestedRunTable.Changes())
        #expect(driver.admit(.latest).changes == TestedRunTable.Changes())
        #expect(driver.phase(of: 1) == .dying(.cancelled))
        #expect(driver.table.end(1).completed == [1])
        #expect(driver.table.end(1) == TestedRunTable.Changes())
        #expect(driver.table.cancel([1]) == TestedRunTable.Changes())
    }

    @Test("spared runs continue although their parent ends")
    func spared() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)
        driver.admit(.concurrent, parent: 2)

        let changes = driver.table.cancel([1, 2, 3], sparing: [2])

        #expect(changes.cancelled == [1, 3])
        #expect(driver.table.isLive(2))
    }

    @Test("a child outlives the end of its parent")
    func childOfAnEndedRun() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)

        _ = driver.table.end(1)

        #expect(driver.table.isLive(2))
        #expect(driver.table.runs[2]?.parent == nil)
    }

    @Test("an ended child is no longer listed with its parent", arguments: [Relux.Policy.concurrent, .serial])
    func endedChild(policy: Relux.Policy) {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(policy, of: 2, parent: 1)
        let before = driver.table.runs[1]?.children

        _ = driver.table.end(2)

        #expect(before == [2])
        #expect(driver.table.runs[1]?.children == [])
    }

    @Test("an ended run has no right to write, and holds no group", arguments: [Relux.Policy.concurrent, .serial])
    func ended(policy: Relux.Policy) {
        var driver = RunTableDriver()
        driver.admit(policy)
        driver.admit(.concurrent, of: 2)
        let handle = driver.table.handle(of: 1)
        _ = driver.table.gather([1], as: driver.makeGroup())
        _ = driver.table.wait(1, for: driver.group(of: 2))

        _ = driver.table.end(1)

        #expect(handle?.isLive == false)
        #expect(handle?.entry.group == nil)
        #expect(handle?.entry.drains.isEmpty == true)
        #expect(handle?.entry.waitsFor.isEmpty == true)
    }

    @Test("a run that concerns no other has no right to write when it has ended")
    func endedAlone() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        let handle = driver.table.handle(of: 1)

        _ = driver.table.end(1)

        #expect(handle?.isLive == false)
    }

    @Test("the runs of an instance are known until they end", arguments: [Relux.Policy.concurrent, .serial])
    func instances(policy: Relux.Policy) {
        var driver = RunTableDriver()
        for saga in 1...2 as ClosedRange<SagaID> { driver.admit(policy, of: saga, in: 1) }
        driver.admit(policy, of: 3, in: 7)
        driver.admit(policy, of: 4)

        let before = [1, 7, 0].map { driver.table.runs(in: $0) }
        _ = driver.table.end(1)
        let between = driver.table.runs(in: 1)
        for run in 2...4 as ClosedRange<RunID> { _ = driver.table.end(run) }

        #expect(before == [[1, 2], [3], []])
        #expect(between == [2])
        #expect(driver.table.scopeCount == 0)
    }

    // MARK: Joins

    @Test("an ended run is no longer joined")
    func endedJoins() {
        var driver = RunTableDriver()
        driver.admit(.shared)
        driver.admit(.shared)
        let before = driver.table.target(of: 2)

        _ = driver.table.end(1)

        #expect(before == 1)
        #expect(driver.table.target(of: 2) == nil)
        #expect(driver.table.joins(of: 1) == [])
    }

    @Test("a join of a halted run can't be cancelled on its own: it ends with that run")
    func joinOfADyingRun() {
        var driver = RunTableDriver()
        driver.admit(.shared)
        driver.admit(.shared)
        _ = driver.table.cancel([1])

        #expect(driver.table.cancel([2]) == TestedRunTable.Changes())
        #expect(driver.phase(of: 2) == .joined)
        #expect(driver.table.end(1).completed.sorted() == [1, 2])
    }

    @Test("a join of a run that never started ends with it")
    func joinOfAQueuedRun() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        _ = driver.table.cancel([1])
        let join = driver.admit(.shared)

        let latest = driver.admit(.latest)

        #expect(join.placement == .join)
        #expect(latest.changes.superseded == [2])
        #expect(latest.changes.completed.sorted() == [2, 3])
        #expect(driver.table.runs.keys.sorted() == [1, 4])
    }

    @Test("a run whose trigger was withdrawn belongs to nobody's tree any more, and continues for its joins")
    func withdrawnParent() {
        var driver = RunTableDriver()
        driver.admit(.concurrent, of: 2)
        driver.admit(.shared, parent: 1)
        driver.admit(.shared)

        let changes = driver.table.withdraw([2])

        #expect(changes.halted == [])
        #expect(changes.completed == [2])
        #expect(driver.table.isLive(2))
        #expect(driver.table.runs[2]?.parent == nil)
        #expect(driver.table.runs[1]?.children == [])
    }

    // MARK: Taking the parent's place

    @Test("a latest child supersedes its parent and becomes independent: the cancelled wait doesn't affect it")
    func latestChild() {
        var driver = RunTableDriver()
        driver.admit(.latest)

        let child = driver.admit(.latest, parent: 1)

        #expect(child.changes.superseded == [1])
        #expect(driver.table.runs[2]?.parent == nil)
        #expect(driver.table.cancel(group: child.group) == TestedRunTable.Changes())
        #expect(driver.table.isLive(2))
    }

    @Test("a latest grandchild ends its grandparent and its parent, and continues")
    func latestGrandchild() {
        var driver = RunTableDriver()
        driver.admit(.latest)
        driver.admit(.concurrent, of: 2, parent: 1)

        let grandchild = driver.admit(.latest, parent: 2)

        #expect(grandchild.changes.cancelled == [2])
        #expect(grandchild.changes.superseded == [1])
        #expect(driver.table.cancel(group: grandchild.group) == TestedRunTable.Changes())
        #expect(driver.table.isLive(3))
    }

    @Test("a debounced child belongs to its parent until it starts, and is independent from then on")
    func debouncedChild() {
        for isThroughAnother in [false, true] {
            var driver = RunTableDriver()
            driver.admit(.debounce(.zero))
            _ = driver.table.deadlineReached(1, now: .zero)
            if isThroughAnother { driver.admit(.concurrent, of: 2, parent: 1) }
            let child = driver.admit(.debounce(.seconds(1)), parent: driver.lastRun)

            let started = driver.table.deadlineReached(child.run, now: .seconds(1))

            #expect(started.superseded == [1])
            #expect(started.starts == [child.run])
            #expect(driver.table.isLive(child.run))
            #expect(driver.table.cancel(group: child.group) == TestedRunTable.Changes())
        }
    }

    @Test("a debounced child that is still pending is cancelled with its parent")
    func pendingDebouncedChild() {
        var driver = RunTableDriver()
        driver.admit(.debounce(.zero))
        _ = driver.table.deadlineReached(1, now: .zero)
        driver.admit(.debounce(.seconds(1)), parent: 1)

        #expect(driver.table.cancel([1]).cancelled == [2, 1])
        #expect(driver.table.deadlineReached(2, now: .seconds(1)) == TestedRunTable.Changes())
    }

    // MARK: Groups

    @Test("a sealed group completes when its last member ends")
    func completion() {
        let table = TestedRunTable()
        table.openGroup(1)
        for run in 1...3 as ClosedRange<UInt64> {
            _ = table.admit(run, of: 1, policy: .concurrent, group: 1, parent: nil, now: .zero)
        }

        #expect(table.end(1).completed == [])
        #expect(table.sealGroup(1).completed == [])
        #expect(table.end(2).completed == [])
        #expect(table.end(3).completed == [1])
        #expect(table.groups.isEmpty)
    }

    @Test("a group without members completes when it is sealed, not before")
    func emptyGroup() {
        let table = TestedRunTable()
        table.openGroup(1)

        #expect(table.groups.count == 1)
        #expect(table.sealGroup(1).completed == [1])
        #expect(table.sealGroup(1).completed == [])
    }

    @Test("a group whose only member ends before the seal completes with the seal")
    func goneBeforeTheSeal() {
        let table = TestedRunTable()
        table.openGroup(1)
        _ = table.admit(1, of: 1, policy: .debounce(.zero), group: 1, parent: nil, now: .zero)

        let changes = table.cancel([1])

        #expect(changes.completed == [])
        #expect(table.sealGroup(1).completed == [1])
    }

    @Test("existing runs can be gathered into another group, and then complete both groups")
    func gathering() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        let gathered = driver.makeGroup()

        #expect(driver.table.gather([1, 2, 99], as: gathered).completed == [])
        #expect(driver.table.members(of: gathered) == [1, 2])
        #expect(driver.table.end(1).completed == [1])
        #expect(driver.table.end(2).completed == [2, gathered])
    }

    @Test("gathering no runs completes immediately")
    func gatheringNothing() {
        let table = TestedRunTable()

        #expect(table.gather([7], as: 1).completed == [1])
    }

    @Test("cancelling a group cancels its members and what they perform")
    func cancelledGroup() {
        var driver = RunTableDriver()
        let first = driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)
        driver.admit(.concurrent)

        #expect(driver.table.cancel(group: first.group).cancelled == [2, 1])
        #expect(driver.table.cancel(group: 99) == TestedRunTable.Changes())
        #expect(driver.table.isLive(3))
    }

    @Test("a transition that halts, starts, or completes anything is not empty")
    func changes() {
        let record = Relux.RunRecord(id: 1, kind: .saga, saga: Never.self, trigger: nil, callSite: Relux.CallSite())
        let run = RunHandle(record, .closed)
        func isEmpty(_ change: (inout RunTable.Changes) -> Void) -> Bool {
            var changes = RunTable.Changes()
            change(&changes)
            return changes.isEmpty
        }

        #expect(isEmpty { _ in })
        #expect(!isEmpty { $0.halts.append(RunTable.Halt(run: run, ending: .cancelled, hadStarted: true)) })
        #expect(!isEmpty { $0.starts.append(run) })
        #expect(!isEmpty { $0.completed.append(Completion(.closed)) })
    }

    // MARK: Counting

    // It used to keep room for as many runs as it had ever held, and going through all of them took as long.
    @Test("the table shrinks when its runs have ended")
    func shrinks() {
        let count: RunID = 200_000
        var driver = RunTableDriver()
        for _ in 1...count { driver.admit(.concurrent) }
        let largest = driver.table.capacity

        for run in 1...count { _ = driver.table.end(run) }

        #expect(largest >= count)
        #expect(driver.table.capacity <= 16)
    }

    @Test("watchers don't count as busy; every other run does, from its admission to its end")
    func busyCount() {
        var driver = RunTableDriver()
        driver.admit(.serial, isWatcher: true)
        #expect(driver.table.busyCount == 0)
        driver.admit(.serial, of: 2)
        driver.admit(.serial, of: 2)
        driver.admit(.debounce(.seconds(1)), of: 3)
        #expect(driver.table.busyCount == 3)

        _ = driver.table.cancel([2, 4])
        #expect(driver.table.busyCount == 2)
        _ = driver.table.end(2)
        #expect(driver.table.busyCount == 1)
        _ = driver.table.end(3)
        _ = driver.table.end(1)
        #expect(driver.table.busyCount == 0)
    }

    @Test("a halted run counts as dying until its task has ended, and one that never started doesn't")
    func dyingCount() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.serial, of: 2)
        driver.admit(.serial, of: 2)
        var counts = [driver.table.dyingCount]

        _ = driver.table.cancel([1, 2, 3])
        counts.append(driver.table.dyingCount)
        for run in [1, 2] as [RunID] {
            _ = driver.table.end(run)
            counts.append(driver.table.dyingCount)
        }

        #expect(counts == [0, 2, 1, 0])
    }
}
