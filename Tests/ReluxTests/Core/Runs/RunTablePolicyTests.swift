import Testing

@testable import Relux

@Suite("Run table: policies")
struct RunTablePolicyTests {
    // MARK: Concurrent

    @Test("concurrent starts and creates no lane")
    func concurrent() {
        var driver = RunTableDriver()

        let first = driver.admit(.concurrent)
        let second = driver.admit(.concurrent)

        #expect([first.placement, second.placement] == [.start, .start])
        #expect(second.changes == TestedRunTable.Changes())
        #expect(driver.table.lanes.isEmpty)
        #expect(driver.table.isLive(1) && driver.table.isLive(2))
    }

    // MARK: Latest

    @Test("latest supersedes the active run, which is dying until it ends")
    func latest() {
        var driver = RunTableDriver()
        driver.admit(.latest)

        let second = driver.admit(.latest)

        #expect(second.placement == .start)
        #expect(second.changes.halted == [.init(run: 1, ending: .superseded, hadStarted: true)])
        #expect(second.changes.completed == [])
        #expect(driver.phase(of: 1) == .dying(.superseded))
        #expect(!driver.table.isLive(1))
        #expect(driver.table.end(1).completed == [1])
    }

    @Test("latest removes queued and pending runs")
    func latestOverWaitingRuns() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.debounce(.seconds(1)))

        let latest = driver.admit(.latest)

        #expect(latest.changes.superseded == [1, 2, 3, 4])
        #expect(latest.changes.halted.map(\.hadStarted) == [true, false, false, false])
        #expect(latest.changes.completed == [2, 3, 4])
        #expect(driver.table.runs.keys.sorted() == [1, 5])
    }

    // The first in the queue is as good as ended when its turn comes to be superseded: those behind it must not start.
    @Test("superseding a whole queue starts none of it, even if the runs further back let more be active")
    func latestOverMixedLimits() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.concurrent(limit: 3))

        let latest = driver.admit(.latest)

        #expect(latest.changes.starts == [])
        #expect(latest.changes.superseded == [1, 2, 3])
        #expect(latest.changes.halted.map(\.hadStarted) == [true, false, false])
    }

    @Test("the others of a trigger stay active in the lane in which one of them supersedes the rest")
    func latestBesideItsSibling() {
        var driver = RunTableDriver()
        driver.admit(.concurrent, of: 2)
        let group = driver.makeGroup()
        driver.table.openGroup(group)

        for (run, policy) in [(2, .serial), (3, .latest)] as [(RunID, Relux.Policy)] {
            _ = driver.table.admit(run, of: 1, policy: policy, group: group, parent: 1, now: .zero)
        }
        let last = driver.makeGroup()
        driver.table.openGroup(last)
        let next = driver.table.admit(4, of: 1, policy: .serial, group: last, parent: nil, now: .zero)

        #expect(driver.table.lanes.values.map(\.active) == [[2, 3]])
        #expect(next.placement == .queue)
        #expect(driver.table.end(3).starts == [])
        #expect(driver.table.end(2).starts == [4])
    }

    @Test("latest leaves other ids and other sagas alone")
    func latestElsewhere() {
        var driver = RunTableDriver()
        driver.admit(.latest(id: 1))
        driver.admit(.latest(id: "1"))
        driver.admit(.latest(id: 1), of: 2)

        #expect(driver.admit(.latest(id: 2)).changes.halted.isEmpty)
        #expect(driver.admit(.latest).changes.halted.isEmpty)
        #expect(driver.admit(.latest(id: 1)).changes.superseded == [1])
    }

    // MARK: Leading

    @Test("leading is dropped while a run is active or queued, and leaves no trace")
    func leading() {
        var driver = RunTableDriver()
        driver.admit(.leading)

        #expect(driver.admit(.leading).placement == .drop)
        #expect(driver.table.runs.count == 1)
        #expect(driver.table.busyCount == 1)
        #expect(driver.table.groups.count == 1)
    }

    @Test("leading starts alongside a dying run and a pending one")
    func leadingBesideOthers() {
        var driver = RunTableDriver()
        driver.admit(.leading)
        _ = driver.table.cancel([1])
        driver.admit(.debounce(.seconds(1)))

        #expect(driver.admit(.leading).placement == .start)
        #expect(driver.table.runs.count == 3)
    }

    @Test("leading is dropped while a dying run still keeps others in the queue")
    func leadingBehindAQueue() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        _ = driver.table.cancel([1])

        #expect(driver.admit(.leading).placement == .drop)
    }

    @Test("a dropped trigger doesn't hold up the queue")
    func leadingBesideAQueue() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.leading)

        #expect(driver.table.end(1).starts == [2])
    }

    // MARK: Serial

    @Test("serial starts in an empty lane and otherwise queues, first in, first out")
    func serial() {
        var driver = RunTableDriver()

        let placements = (0..<3).map { _ in driver.admit(.serial).placement }

        #expect(placements == [.start, .queue, .queue])
        #expect(driver.table.end(1).starts == [2])
        #expect(driver.table.end(2).starts == [3])
        #expect(driver.table.end(3).starts == [])
        #expect(driver.table.lanes.isEmpty)
    }

    @Test("serial waits for dying runs too")
    func serialBehindADyingRun() {
        var driver = RunTableDriver()
        driver.admit(.latest)
        driver.admit(.latest)
        driver.admit(.serial)

        #expect(driver.table.end(2).starts == [])
        #expect(driver.table.end(1).starts == [3])
    }

    @Test("runs behind a cancelled queued run move up")
    func serialWithACancelledRun() {
        var driver = RunTableDriver()
        for _ in 0..<4 { driver.admit(.serial) }

        let changes = driver.table.cancel([2, 3])

        #expect(changes.cancelled == [2, 3])
        #expect(changes.completed == [2, 3])
        #expect(changes.starts == [])
        #expect(driver.table.end(1).starts == [4])
    }

    @Test("cancelling a whole lane starts none of its runs")
    func serialCancelledAsAWhole() {
        var driver = RunTableDriver()
        for _ in 0..<3 { driver.admit(.serial) }

        let changes = driver.table.cancel([1, 2, 3])

        #expect(changes.starts == [])
        #expect(driver.table.end(1).starts == [])
        #expect(driver.table.runs.isEmpty)
    }

    @Test(
        "cancelling a queue starts none of it, even if the runs further back let more be active",
        arguments: [true, false]
    )
    func cancelledMixedLimits(isWithdrawn: Bool) {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.concurrent(limit: 3))

        let changes = isWithdrawn ? driver.table.withdraw([2, 3]) : driver.table.cancel([2, 3])

        #expect(changes.starts == [])
        #expect(changes.cancelled == [2, 3])
        #expect(changes.halted.map(\.hadStarted) == [false, false])
    }

    // MARK: Debounce

    @Test("debounce delays, and each trigger supersedes the pending one")
    func debounce() {
        var driver = RunTableDriver()

        let first = driver.admit(.debounce(.seconds(2)))
        driver.now = .seconds(1)
        let second = driver.admit(.debounce(.seconds(2)))

        #expect(first.placement == .delay(until: .seconds(2)))
        #expect(second.placement == .delay(until: .seconds(3)))
        #expect(second.changes.halted == [.init(run: 1, ending: .superseded, hadStarted: false)])
        #expect(second.changes.completed == [1])
        #expect(driver.table.deadlineReached(1, now: .seconds(2)) == TestedRunTable.Changes())
        #expect(driver.table.deadlineReached(2, now: .seconds(3)).starts == [2])
        #expect(driver.table.deadlineReached(2, now: .seconds(3)).starts == [])
    }

    @Test("debounce supersedes an active run when it starts")
    func debounceOverAnActiveRun() {
        var driver = RunTableDriver()
        driver.admit(.leading)
        driver.admit(.serial)

        let admitted = driver.admit(.debounce(.seconds(1)))
        let started = driver.table.deadlineReached(3, now: .seconds(1))

        #expect(admitted.changes == TestedRunTable.Changes())
        #expect(started.superseded == [1, 2])
        #expect(started.starts == [3])
        #expect(driver.table.isLive(3))
    }

    @Test("a debounce whose deadline comes starts nothing of the queue that it supersedes")
    func debounceOverMixedLimits() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.concurrent(limit: 3))
        driver.admit(.debounce(.seconds(1)))

        let started = driver.table.deadlineReached(4, now: .seconds(1))

        #expect(started.starts == [4])
        #expect(started.superseded == [1, 2, 3])
        #expect(started.halted.map(\.hadStarted) == [true, false, false])
    }

    // The lane used for this is empty for a moment: the one active run is spared, and the queue is gone.
    @Test("a debounce whose deadline comes stays in its lane, beside the others of its trigger")
    func debounceBesideItsSibling() {
        var driver = RunTableDriver()
        let (group, other) = (driver.makeGroup(), driver.makeGroup())
        driver.table.openGroup(group)
        driver.table.openGroup(other)
        _ = driver.table.admit(1, of: 1, policy: .serial, group: group, parent: nil, now: .zero)
        _ = driver.table.admit(2, of: 1, policy: .serial, group: other, parent: nil, now: .zero)
        _ = driver.table.admit(3, of: 1, policy: .debounce(.seconds(1)), group: group, parent: nil, now: .zero)

        let started = driver.table.deadlineReached(3, now: .seconds(1))

        #expect(started.superseded == [2])
        #expect(started.starts == [3])
        #expect(driver.table.lanes.values.map(\.active) == [[1, 3]])
    }

    // They used to be superseded with the earlier ones, although nothing newer had come.
    @Test("a debounce whose deadline comes leaves the triggers after it in the queue")
    func debounceBeforeLaterOnes() {
        var driver = RunTableDriver()
        driver.admit(.serial)
        driver.admit(.serial)
        driver.admit(.debounce(.seconds(1)))
        driver.admit(.serial)

        let started = driver.table.deadlineReached(3, now: .seconds(1))
        let next = driver.table.end(3)

        #expect(started.superseded == [1, 2])
        #expect(started.starts == [3])
        #expect(next.starts == [])
        #expect(driver.table.end(1).starts == [4])
    }

    @Test("the lane of a debounce is gone when its run has ended")
    func laneOfADebounce() {
        var driver = RunTableDriver()
        driver.admit(.debounce(.seconds(1)))
        _ = driver.table.deadlineReached(1, now: .seconds(1))

        _ = driver.table.end(1)

        #expect(driver.table.lanes.isEmpty)
    }

    @Test("debounce with a delay of zero or less is due immediately", arguments: [Duration.zero, .seconds(-3)])
    func debounceByNothing(delay: Duration) {
        var driver = RunTableDriver()
        driver.now = .seconds(7)

        #expect(driver.admit(.debounce(delay)).placement == .delay(until: .seconds(7)))
    }

    // MARK: Throttle

    @Test("throttle starts the first, delays the rest to the end of the window, and keeps the last")
    func throttle() {
        var driver = RunTableDriver()

        let placements = (0..<3).map { number in
            driver.now = .milliseconds(number * 100)
            return driver.admit(.throttle(.seconds(1)))
        }

        #expect(placements[0].placement == .start)
        #expect(placements[1].placement == .delay(until: .seconds(1)))
        #expect(placements[2].placement == .delay(until: .seconds(1)))
        #expect(placements[2].changes.superseded == [2])
    }

    @Test("throttle opens a new window when the delayed run starts, and leaves active runs alone")
    func throttleWindows() {
        var driver = RunTableDriver()
        driver.admit(.throttle(.seconds(1)))
        driver.admit(.throttle(.seconds(1)))

        let started = driver.table.deadlineReached(2, now: .seconds(1))
        driver.now = .milliseconds(1_999)
        let inTheSecondWindow = driver.admit(.throttle(.seconds(1)))

        #expect(started.halted.isEmpty)
        #expect(started.starts == [2])
        #expect(driver.table.isLive(1))
        #expect(inTheSecondWindow.placement == .delay(until: .seconds(2)))
    }

    @Test("a pending run stays in its lane when the active one ends")
    func pendingOverAnEnd() {
        var driver = RunTableDriver()
        driver.admit(.latest)
        driver.admit(.debounce(.seconds(1), keepingActive: true))

        _ = driver.table.end(1)

        #expect(driver.admit(.debounce(.seconds(1), keepingActive: true)).changes.superseded == [2])
    }

    @Test("a window is closed at its last instant")
    func endOfAWindow() {
        var driver = RunTableDriver()
        driver.admit(.throttle(.seconds(1)))

        driver.now = .seconds(1)

        #expect(driver.admit(.throttle(.seconds(1))).placement == .start)
    }

    @Test(
        "throttle with an interval of zero or less lets every trigger start", arguments: [Duration.zero, .seconds(-3)])
    func throttleByNothing(interval: Duration) {
        var driver = RunTableDriver()

        #expect((0..<3).map { _ in driver.admit(.throttle(interval)).placement } == [.start, .start, .start])
    }

    @Test("a window outlives its run until all windows are closed")
    func windowOfAnEndedRun() {
        var driver = RunTableDriver()
        driver.admit(.throttle(.seconds(9)))
        _ = driver.table.end(1)

        #expect(driver.admit(.throttle(.seconds(9))).placement == .delay(until: .seconds(9)))
        _ = driver.table.cancel([2])
        driver.table.closeWindows()
        #expect(driver.table.lanes.isEmpty)
        #expect(driver.admit(.throttle(.seconds(9))).placement == .start)
    }

    @Test("lanes that consist only of an expired window are eventually removed")
    func pastWindows() {
        var driver = RunTableDriver()
        for number in 0..<10_000 {
            driver.now = .seconds(number)
            _ = driver.table.end(driver.run(.throttle(.milliseconds(1), id: number)))
        }

        #expect(driver.table.lanes.count <= 128)
    }

    // MARK: Ids

    @Test("ids are compared by value, and no id is an id of its own")
    func ids() {
        var driver = RunTableDriver()
        driver.admit(.leading(id: "a"))

        #expect(driver.admit(.leading(id: "a")).placement == .drop)
        #expect(driver.admit(.leading(id: "b")).placement == .start)
        #expect(driver.admit(.leading(id: ["a"])).placement == .start)
        #expect(driver.admit(.leading).placement == .start)
    }
}
