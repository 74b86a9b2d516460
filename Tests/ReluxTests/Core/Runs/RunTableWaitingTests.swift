import Testing

@testable import Relux

@Suite("Run table: waits")
struct RunTableWaitingTests {
    @Test("a run that waits for itself is refused, and the wait isn't recorded")
    func itself() {
        var driver = RunTableDriver()
        let run = driver.admit(.concurrent)

        #expect(driver.table.wait(run.run, for: run.group) == run.run)
        #expect(driver.table.blockers(of: run.run) == [])
        #expect(driver.table.runsAwaiting(run.run) == [run.run])
    }

    @Test("a run that waits for one queued behind it is refused, with the id of that run")
    func itsOwnLane() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        let last = driver.admit(.serial, parent: 1)

        #expect(driver.table.wait(1, for: last.group) == last.run)
    }

    @Test("a cycle through any number of runs is found, and its last wait is refused")
    func longCycle() {
        var driver = RunTableDriver()
        for _ in 0..<50 { driver.admit(.concurrent) }
        for run in 1..<50 as Range<UInt64> {
            #expect(driver.table.wait(run, for: driver.group(of: run + 1)) == nil)
        }

        #expect(driver.table.wait(50, for: driver.group(of: 1)) == 1)
        #expect(driver.table.runsAwaiting(50).count == 50)
    }

    @Test("a cycle through a queue and a wait is found")
    func throughAQueue() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        let other = driver.admit(.concurrent, of: 2, parent: 1)
        #expect(driver.table.wait(1, for: other.group) == nil)
        let inner = driver.admit(.serial, parent: other.run)

        #expect(driver.table.wait(other.run, for: inner.group) == inner.run)
    }

    @Test("a queued run also waits for dying ones")
    func dyingRunInTheLane() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        let queued = driver.admit(.serial)
        _ = driver.table.cancel([1])

        #expect(driver.table.blockers(of: queued.run) == [1])
        #expect(driver.table.wait(1, for: queued.group) == queued.run)
    }

    @Test("one member of a group that can't end is enough for a refusal, which names that member")
    func oneOfAGroup() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        #expect(driver.table.wait(2, for: driver.group(of: 1)) == nil)
        let both = driver.makeGroup()
        _ = driver.table.gather([3, 2], as: both)

        #expect(driver.table.wait(1, for: both) == 2)
    }

    @Test("waits for the same run are not a cycle")
    func diamond() {
        var driver = RunTableDriver()
        for _ in 0..<4 { driver.admit(.concurrent) }

        #expect(driver.table.wait(1, for: driver.group(of: 2)) == nil)
        #expect(driver.table.wait(1, for: driver.group(of: 3)) == nil)
        #expect(driver.table.wait(2, for: driver.group(of: 4)) == nil)
        #expect(driver.table.wait(3, for: driver.group(of: 4)) == nil)
        #expect(driver.table.blockers(of: 1) == [2, 3])
    }

    @Test("a wait that has ended or was given up doesn't count")
    func pastWaits() {
        var driver = RunTableDriver()
        for _ in 0..<3 { driver.admit(.concurrent) }
        #expect(driver.table.wait(1, for: driver.group(of: 2)) == nil)
        #expect(driver.table.wait(1, for: driver.group(of: 3)) == nil)

        driver.table.stopWaiting(1, for: driver.group(of: 2))
        #expect(driver.table.wait(2, for: driver.group(of: 1)) == nil)
        _ = driver.table.end(3)
        #expect(driver.table.blockers(of: 1) == [])
    }

    @Test("a run that waits twice for the same group still waits after giving up once")
    func twice() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        let group = driver.group(of: 2)
        _ = driver.table.wait(1, for: group)
        _ = driver.table.wait(1, for: group)

        driver.table.stopWaiting(1, for: group)
        #expect(driver.table.wait(2, for: driver.group(of: 1)) == 1)
        driver.table.stopWaiting(1, for: group)
        #expect(driver.table.wait(2, for: driver.group(of: 1)) == nil)
    }

    @Test("waiting for an ended group, or by an ended run, is not recorded")
    func gone() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        let group = driver.group(of: 2)
        _ = driver.table.end(2)

        #expect(driver.table.wait(1, for: group) == nil)
        #expect(driver.table.wait(2, for: driver.group(of: 1)) == nil)
        #expect(driver.table.blockers(of: 1) == [])
        #expect(driver.table.blockers(of: 2) == [])
        #expect(driver.table.runsAwaiting(1) == [1])
    }

    @Test("the runs that perform a run are found without a wait, as long as somebody awaits what they perform")
    func performing() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent, parent: 1)
        driver.admit(.concurrent, parent: 2)
        driver.admit(.concurrent)
        _ = driver.table.wait(4, for: driver.group(of: 1))

        #expect(driver.table.runsAwaiting(3) == [3])
        #expect(driver.table.runsOutlasting(3) == [1, 2, 3, 4])
        _ = driver.table.dissolve(driver.group(of: 3))
        #expect(driver.table.runsOutlasting(3) == [3])
        #expect(driver.table.runsOutlasting(2) == [1, 2, 4])
    }

    @Test("the runs that await a run are found through other runs and through gathered groups")
    func awaiting() {
        var driver = RunTableDriver()
        for _ in 0..<4 { driver.admit(.concurrent) }
        _ = driver.table.wait(2, for: driver.group(of: 1))
        let gathered = driver.makeGroup()
        _ = driver.table.gather([2], as: gathered)
        _ = driver.table.wait(3, for: gathered)

        #expect(driver.table.runsAwaiting(1) == [1, 2, 3])
    }

    @Test("a run that has given up its wait no longer awaits anything")
    func givenUp() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        _ = driver.table.wait(2, for: driver.group(of: 1))

        driver.table.stopWaiting(2, for: driver.group(of: 1))

        #expect(driver.table.runsAwaiting(1) == [1])
        #expect(driver.table.groups[driver.group(of: 1)]?.waiters == [])
    }

    @Test("nothing waits for a group that was dissolved, although its members continue")
    func dissolved() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        _ = driver.table.wait(2, for: driver.group(of: 1))

        let wasThere = [driver.table.dissolve(1), driver.table.dissolve(1)]

        #expect(wasThere == [true, false])
        #expect(driver.table.isLive(1))
        #expect(driver.table.runsAwaiting(1) == [1])
        #expect(driver.table.runs[2]?.waitsFor == [])
    }

    @Test("a group that is complete is no longer listed with the run that awaited it")
    func completed() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        _ = driver.table.wait(2, for: driver.group(of: 1))

        _ = driver.table.end(1)

        #expect(driver.table.runs[2]?.waitsFor == [])
    }

    @Test("an ended run awaits nothing")
    func endedWaiter() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        driver.admit(.concurrent)
        _ = driver.table.wait(2, for: driver.group(of: 1))

        _ = driver.table.end(2)

        #expect(driver.table.runsAwaiting(1) == [1])
        #expect(driver.table.groups[driver.group(of: 1)]?.waiters == [])
    }

    @Test("a pending run waits for no run")
    func pending() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        let pending = driver.admit(.debounce(.seconds(1)), of: 2, parent: 1)

        #expect(driver.table.wait(1, for: pending.group) == nil)
        #expect(driver.table.blockers(of: pending.run) == [])
    }

    // MARK: Joins

    @Test("a join is awaited until its run has ended, and passes waits on to it")
    func joins() {
        var driver = RunTableDriver()
        let run = driver.run(.shared)
        let join = driver.admit(.shared)
        let other = driver.run(.concurrent, of: 2)

        #expect(join.placement == .join)
        #expect(driver.table.wait(other, for: join.group) == nil)
        #expect(driver.table.wait(run, for: driver.group(of: other)) == other)
        #expect(driver.table.runsAwaiting(run) == [run, join.run, other])
        #expect(driver.table.end(run).completed == [join.group, 1])
    }

    // MARK: Limits

    @Test("a run may wait for one that needs only some of the active runs to end")
    func limits() {
        var driver = RunTableDriver()
        let first = driver.run(.concurrent(limit: 2))
        let second = driver.run(.concurrent(limit: 2))
        let child = driver.admit(.concurrent(limit: 2))

        #expect(driver.table.wait(first, for: child.group) == nil)
        #expect(driver.table.wait(second, for: child.group) == child.run)
    }

    @Test("a run may wait for one that needs some of the active runs to end, whatever waits behind that one")
    func limitsBehind() {
        var driver = RunTableDriver()
        for _ in 0..<3 { driver.admit(.concurrent(limit: 3)) }
        let queued = driver.admit(.concurrent(limit: 3))
        driver.admit(.serial)

        #expect(driver.table.wait(1, for: queued.group) == nil)
    }

    // MARK: Idleness

    @Test("a run that keeps the store busy can't wait for idleness, directly or through others")
    func idleness() {
        var driver = RunTableDriver()
        let busy = driver.run(.concurrent)
        let background = driver.admit(.concurrent.background)

        #expect(!driver.table.waitForIdleness(busy))
        #expect(driver.table.waitForIdleness(background.run))
        #expect(driver.table.wait(busy, for: background.group) == background.run)
    }

    @Test("a run in the background can't wait for idleness if a busy one waits for it")
    func idlenessOfAwaited() {
        var driver = RunTableDriver()
        let busy = driver.run(.concurrent)
        let background = driver.admit(.concurrent.background)

        #expect(driver.table.wait(busy, for: background.group) == nil)
        #expect(!driver.table.waitForIdleness(background.run))
    }

    @Test("a run that waits for idleness twice still waits after one of the waits has ended")
    func idlenessTwice() {
        var driver = RunTableDriver()
        let busy = driver.run(.concurrent)
        let background = driver.admit(.concurrent.background)
        #expect(driver.table.waitForIdleness(background.run))
        #expect(driver.table.waitForIdleness(background.run))

        driver.table.stopWaitingForIdleness(background.run)
        #expect(driver.table.wait(busy, for: background.group) == background.run)
        driver.table.stopWaitingForIdleness(background.run)
        #expect(driver.table.wait(busy, for: background.group) == nil)
    }

    @Test("a run that has ended may wait for idleness, and isn't listed")
    func idlenessOfEnded() {
        var driver = RunTableDriver()
        driver.admit(.concurrent)
        _ = driver.table.end(1)

        #expect(driver.table.waitForIdleness(1))
        #expect(driver.table.idleWaitCount == 0)
    }

    @Test("a run that ends while it waits for idleness is no longer listed", arguments: [true, false])
    func idlenessOfEnding(isAlone: Bool) {
        var driver = RunTableDriver()
        let background = driver.run(isAlone ? .concurrent.background : .serial.background)
        driver.admit(.concurrent)
        #expect(driver.table.waitForIdleness(background))

        _ = driver.table.end(background)

        #expect(driver.table.idleWaitCount == 0)
    }
}
