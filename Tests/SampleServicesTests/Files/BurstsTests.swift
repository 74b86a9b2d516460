import ReluxTesting
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct BurstsTests {
    private let clock = ManualClock()
    private let bursts: Bursts

    init() {
        bursts = Bursts(pause: .seconds(1), limit: .seconds(5), clock: clock)
    }

    private func next() -> Task<FolderWatch.Event?, Never> {
        Task { [bursts] in await bursts.next() }
    }

    @Test func `a single event is reported after a pause without events`() async {
        bursts.note(.changed)

        let told = next()
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))

        #expect(await told.cancellableValue == .changed)
        #expect(clock.now.offset == .seconds(1))
    }

    @Test func `events in quick succession belong to the same burst`() async {
        let told = next()
        for _ in 1...3 {
            bursts.note(.changed)
            await clock.sleepers(atLeast: 1)
            bursts.note(.changed)
            await clock.advance(by: .seconds(1))
        }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))

        #expect(await told.cancellableValue == .changed)
        #expect(clock.now.offset == .seconds(4))
    }

    @Test func `a burst that doesn't end is reported at its limit, and the rest of it after that`() async {
        bursts.note(.changed)
        let first = next()
        for _ in 1...5 {
            await clock.sleepers(atLeast: 1)
            bursts.note(.changed)
            await clock.advance(by: .seconds(1))
        }
        let atLimit = await first.cancellableValue
        let second = next()
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))

        #expect(atLimit == .changed)
        #expect(await second.cancellableValue == .changed)
        #expect(clock.now.offset == .seconds(6))
    }

    @Test func `a burst that has been reported isn't reported again`() async {
        bursts.note(.changed)
        let first = next()
        await clock.sleepers(atLeast: 1)
        bursts.note(.changed)
        await clock.advance(by: .seconds(1))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        _ = await first.cancellableValue

        let second = next()
        second.cancel()

        #expect(await second.cancellableValue == nil)
        #expect(clock.sleepers.isEmpty && clock.now.offset == .seconds(2))
    }

    @Test func `the loss of the folder is reported immediately`() async {
        bursts.note(.changed)
        bursts.note(.vanished)

        #expect(await bursts.next() == .vanished)
        #expect(clock.now.offset == .zero)
    }

    @Test func `the loss of the folder during a pause is reported after it`() async {
        bursts.note(.changed)
        let told = next()
        await clock.sleepers(atLeast: 1)
        bursts.note(.vanished)
        await clock.advance(by: .seconds(1))

        #expect(await told.cancellableValue == .vanished)
    }

    @Test func `a cancelled caller stops waiting for an event or a pause`() async {
        let idle = next()
        idle.cancel()
        let ofIdle = await idle.cancellableValue
        let other = Bursts(pause: .seconds(1), limit: .seconds(5), clock: clock)
        other.note(.changed)
        let pausing = Task { await other.next() }
        await clock.sleepers(atLeast: 1)
        pausing.cancel()

        #expect(ofIdle == nil)
        #expect(await pausing.cancellableValue == nil)
    }
}
