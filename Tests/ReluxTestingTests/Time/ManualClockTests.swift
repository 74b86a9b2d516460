import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("ManualClock", .timeLimit(.minutes(10)))
struct ManualClockTests {
    @Test("a new clock shows zero and has no sleepers")
    func starts() {
        let clock = ManualClock()

        #expect(clock.now == ManualClock.Instant(offset: .zero))
        #expect(clock.sleepers.isEmpty)
        #expect(clock.minimumResolution == .zero)
    }

    @Test("time advances by the given duration, even without sleepers")
    func advancesWithoutSleepers() async {
        let clock = ManualClock()

        await clock.advance(by: .seconds(2))
        await clock.advance(by: .milliseconds(500))

        #expect(clock.now.offset == .milliseconds(2500))
    }

    @Test("a negative advance moves nothing")
    func neverRunsBackwards() async {
        let clock = ManualClock()
        await clock.advance(by: .seconds(2))

        await clock.advance(by: .seconds(-1))

        #expect(clock.now.offset == .seconds(2))
    }

    @Test("time stops at the greatest duration instead of overflowing, and so do deadlines")
    func stopsAtTheEnd() async {
        let clock = ManualClock()
        for _ in 0..<20 { await clock.advance(by: .seconds(Int64.max)) }

        let end = clock.now
        let nap = Task { try await clock.sleep(for: .seconds(1)) }

        #expect(end.offset == Duration(attoseconds: .max))
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(ManualClock.Instant(offset: Duration(attoseconds: .min)).advanced(by: .seconds(-1)) < end)
        await #expect(throws: Never.self) { try await nap.value }
    }

    @Test("a sleeper wakes when its deadline is reached, even if the clock is an existential")
    func wakesAtItsDeadline() async throws {
        let clock = ManualClock()
        let erased: any Clock<Duration> = clock
        let nap = Task { try await erased.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 1)

        await clock.advance(by: .seconds(1))

        try await nap.value
        #expect(clock.sleepers.isEmpty)
    }

    @Test("a sleeper sleeps until exactly its deadline")
    func sleepsUntilItsDeadline() async throws {
        let clock = ManualClock()
        let nap = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 1)

        await clock.advance(by: .milliseconds(999))

        #expect(clock.sleepers.map(\.deadline.offset) == [.seconds(1)])
        await clock.advance(by: .milliseconds(1))
        try await nap.value
    }

    @Test("sleeping until now or until a time in the past returns at once", arguments: [0, -1])
    func pastDeadlines(seconds: Int) async throws {
        let clock = ManualClock()
        await clock.advance(by: .seconds(3))

        try await clock.sleep(for: .seconds(seconds))

        #expect(clock.now.offset == .seconds(3))
    }

    @Test("sleepers are listed by deadline, and those with equal deadlines in the order of arrival")
    func listsSleepers() async {
        let clock = ManualClock()
        let naps = await sleep([3, 1, 2, 1], on: clock)

        let sleepers = clock.sleepers

        #expect(sleepers.map(\.deadline.offset) == [.seconds(1), .seconds(1), .seconds(2), .seconds(3)])
        #expect(sleepers[0].id < sleepers[1].id)
        #expect(sleepers[0].description == "a task until 1 s")
        naps.forEach { $0.cancel() }
    }
}

extension ManualClockTests {
    @Test("a sleeper has the name of its task")
    func namesSleepers() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let clock = ManualClock()
        let nap = Task(name: "Search") { try await clock.sleep(for: .milliseconds(300)) }

        let sleepers = await clock.sleepers(atLeast: 1)

        #expect(sleepers.map(\.description) == ["Search until 0.3 s"])
        nap.cancel()
    }
}

// MARK: - Order

extension ManualClockTests {
    @Test("sleepers wake one at a time, by deadline and then by arrival, with a rest before and after each")
    func wakesInOrder() async {
        let rests = Rests()
        let clock = ManualClock { rests.note() }
        rests.watch(clock)
        let naps = await sleep([3, 1, 2, 1, 9], on: clock)
        let ids = naps.indices.map { index in clock.sleepers.sorted { $0.id < $1.id }[index].id }

        await clock.advance(by: .seconds(4))

        #expect(
            rests.seen == [
                .init(now: .seconds(0), asleep: [ids[1], ids[3], ids[2], ids[0], ids[4]]),
                .init(now: .seconds(1), asleep: [ids[3], ids[2], ids[0], ids[4]]),
                .init(now: .seconds(1), asleep: [ids[2], ids[0], ids[4]]),
                .init(now: .seconds(2), asleep: [ids[0], ids[4]]),
                .init(now: .seconds(3), asleep: [ids[4]]),
            ]
        )
        #expect(clock.now.offset == .seconds(4))
        naps.forEach { $0.cancel() }
    }

    @Test("a sleeper that arrives during an advance, with a deadline that the advance reaches, is woken by it")
    func wakesWhoComesInBetween() async throws {
        let laps = Laps()
        let clock = ManualClock { await laps.rest() }
        let runner = Task {
            for _ in 1...3 {
                try await clock.sleep(for: .seconds(1))
                await laps.finish(clock.now.offset)
            }
        }
        await clock.sleepers(atLeast: 1)

        await laps.expect(clock, laps: 3)
        await clock.advance(by: .seconds(3))

        try await runner.value
        #expect(await laps.times == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test("advancing to the next deadline wakes all sleepers with that deadline, and no others")
    func advancesToNextDeadline() async {
        let clock = ManualClock()
        let naps = await sleep([2, 5, 2], on: clock)

        let first = await clock.advanceToNextDeadline()
        let left = clock.sleepers.count
        let second = await clock.advanceToNextDeadline()
        let third = await clock.advanceToNextDeadline()

        #expect(first?.offset == .seconds(2))
        #expect(left == 1)
        #expect(second?.offset == .seconds(5))
        #expect(third == nil)
        #expect(clock.now.offset == .seconds(5))
        for nap in naps { await #expect(throws: Never.self) { try await nap.value } }
    }

    // An advance used to look for the next sleeper and to move the time in two steps.
    @Test("no sleeper that arrives while an advance ends sleeps past its deadline", arguments: [false, true])
    func arrivesAtTheEnd(isToNextDeadline: Bool) async {
        let clock = ManualClock()
        let nanosecond = Duration.nanoseconds(1)
        let naps = (0..<3).map { _ in
            Task.detached { while true { try await clock.sleep(for: nanosecond) } }
        }

        var late = 0
        for _ in 0..<200_000 {
            if isToNextDeadline { await clock.advanceToNextDeadline() } else { await clock.advance(by: nanosecond) }
            let now = clock.now
            late += clock.sleepers.count { $0.deadline <= now }
        }

        #expect(late == 0)
        naps.forEach { $0.cancel() }
    }

    @Test("advances that overlap add up")
    func overlappingAdvances() async {
        let gate = Gate()
        let clock = ManualClock { await gate.pass() }
        let first = Task { await clock.advance(by: .seconds(1)) }
        await gate.arrivals()
        let second = Task { await clock.advance(by: .seconds(2)) }
        await gate.arrivals(atLeast: 2)

        gate.open()

        await first.value
        await second.value
        #expect(clock.now.offset == .seconds(3))
    }
}

// MARK: - Cancellation

extension ManualClockTests {
    @Test("cancelling a sleeper wakes it at once and doesn't change the time")
    func cancelling() async {
        let clock = ManualClock()
        let naps = await sleep([1, 2], on: clock)

        naps[0].cancel()

        await #expect(throws: CancellationError.self) { try await naps[0].value }
        #expect(clock.sleepers.map(\.deadline.offset) == [.seconds(2)])
        #expect(clock.now.offset == .zero)
        naps[1].cancel()
    }

    @Test("an advance to a deadline ends there, even if its sleeper is cancelled before it wakes")
    func cancelledDuringAdvance() async {
        let (nap, rests) = (Shared<Task<Void, any Error>?>(nil), Shared(0))
        let clock = ManualClock {
            rests.change { $0 += 1 }
            // The clock rests once before it chooses the deadline, and again before it wakes the sleeper.
            if rests.value == 2 { nap.value?.cancel() }
        }
        nap.value = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 1)

        let deadline = await clock.advanceToNextDeadline()

        #expect(deadline?.offset == .seconds(1))
        #expect(clock.now == deadline)
    }

    @Test("a task that is already cancelled throws instead of sleeping, whatever the deadline", arguments: [0, 1])
    func cancelledBefore(seconds: Int) async {
        let clock = ManualClock()
        let gate = Gate()
        let nap = Task {
            await gate.pass()
            try await clock.sleep(for: .seconds(seconds))
        }
        await gate.arrivals()

        nap.cancel()
        gate.open()

        await #expect(throws: CancellationError.self) { try await nap.value }
        #expect(clock.sleepers.isEmpty)
    }

    @Test("a cancelled wait for sleepers returns those that have arrived")
    func cancelledWait() async {
        let clock = ManualClock()
        let naps = await sleep([1], on: clock)
        let wait = Task { await clock.sleepers(atLeast: 2) }

        wait.cancel()

        #expect(await wait.value.count == 1)
        naps[0].cancel()
    }
}

// MARK: - Helpers

extension ManualClockTests {
    /// Starts one sleeping task after another, so that they arrive in the order of the list.
    private func sleep(_ seconds: [Int], on clock: ManualClock) async -> [Task<Void, any Error>] {
        var naps: [Task<Void, any Error>] = []
        for length in seconds {
            naps.append(Task { try await clock.sleep(for: .seconds(length)) })
            await clock.sleepers(atLeast: naps.count)
        }
        return naps
    }
}

/// The state of a clock as seen at each rest.
private final class Rests: Sendable {
    struct Moment: Equatable {
        let now: Duration
        let asleep: [UInt64]
    }

    private let state = Lock<(clock: ManualClock?, seen: [Moment])>((nil, []))

    var seen: [Moment] { state.withLock { $0.seen } }

    func watch(_ clock: ManualClock) {
        state.withLock { $0.clock = clock }
    }

    func note() {
        state.withLock { state in
            guard let clock = state.clock else { return }
            state.seen.append(Moment(now: clock.now.offset, asleep: clock.sleepers.map(\.id)))
        }
    }
}

/// Tracks what a runner does between two sleeps, in order to know when it has come to rest.
private actor Laps {
    private(set) var times: [Duration] = []
    private var clock: ManualClock?
    private var expected = 0

    func expect(_ clock: ManualClock, laps: Int) {
        self.clock = clock
        expected = laps
    }

    func finish(_ time: Duration) {
        times.append(time)
    }

    /// At rest, the runner is asleep. After its last lap, there is nothing left to wait for.
    func rest() async {
        guard let clock, clock.now.offset < .seconds(expected) else { return }
        await clock.sleepers(atLeast: 1)
    }
}
