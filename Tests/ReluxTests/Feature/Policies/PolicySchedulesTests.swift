import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Attacks each policy with many performers, cancellations, and failures, under many interleavings.
@Suite("Law 9: policies under random schedules", .timeLimit(.minutes(10)))
struct PolicySchedulesTests {
    /// Policies, each with the number of its runs that may be live at the same time.
    static let limits: [(policy: Relux.Policy, limit: Int)] = [
        (.shared, 1), (.shared.in(Relux.Lane("lane")), 1), (.shared.background, 1), (.conflated, 1),
        (.concurrent(limit: 2), 2), (.serial.in(Relux.Lane("lane")), 1), (.leading, 1), (.leading(limit: 2), 2),
        (.throttle(.milliseconds(5), trailing: false), 9), (.debounce(.milliseconds(3), keepingActive: true), 9),
    ]

    /// The runs that are live, and those that have been cancelled, as they say themselves.
    struct Board: Relux.State {
        var live: Set<Int> = []
        var cancelled: Set<Int> = []
        var mostLive = 0
        var hasLateWrite = false

        struct Action: Relux.Action, Hashable {
            enum Event { case started, wrote, ended, cancelled }

            let event: Event
            let run: Int
        }

        mutating func reduce(_ action: Action) {
            switch action.event {
            case .started: live.insert(action.run)
            case .ended, .cancelled: live.remove(action.run)
            case .wrote: break
            }
            mostLive = max(mostLive, live.count)
            if action.event == .cancelled {
                cancelled.insert(action.run)
            } else if cancelled.contains(action.run) {
                hasLateWrite = true
            }
        }
    }

    struct Task: Relux.Effect, Hashable {
        typealias Output = Int

        var number: Int
    }

    struct Flow: Relux.Flow {
        let policy: Relux.Policy
        let world: Simulation.World

        func policy(for task: Task) -> Relux.Policy { policy }
        func actionOnCancel(_ task: Task) -> (any Relux.Action)? { Board.Action(event: .cancelled, run: task.number) }

        func run(_ task: Task, in context: Relux.SagaContext) async throws -> Int {
            await context.dispatch(Board.Action(event: .started, run: task.number))
            for _ in 0..<2 {
                // A service that sometimes ignores cancellation.
                try await world.latency(.zero ... .milliseconds(4), heedsCancellation: !world.fails(0.3))
                await context.dispatch(Board.Action(event: .wrote, run: task.number))
            }
            await context.dispatch(Board.Action(event: .ended, run: task.number))
            if world.fails(0.2) { throw TestFailure(name: "\(task.number)") }
            return task.number
        }
    }

    @Test(
        "every performer gets an answer, no more runs than allowed are live, and nothing is written after cancellation",
        arguments: limits)
    func promises(policy: Relux.Policy, limit: Int) async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let store = try await world.store {
                Part<TagA>(states: [Board()], flows: [Flow(policy: policy, world: world)])
            }
            world.always("at most \(limit) live runs", of: Board.self) { $0.mostLive <= limit }
            world.always("no write after cancellation", of: Board.self) { !$0.hasLateWrite }

            for number in 0..<6 {
                let isCancelled = world.fails(0.4)
                let performer = world.task("performer \(number)") {
                    try await world.latency(.zero ... .milliseconds(8))
                    do {
                        _ = try await store.perform(Task(number: number))
                    } catch Relux.EffectError.failed(is TestFailure), Relux.EffectError.superseded {
                    } catch Relux.EffectError.dropped {
                    } catch Relux.EffectError.cancelled where isCancelled {
                    }
                }
                guard isCancelled else { continue }
                world.task("canceller \(number)") {
                    try await world.latency(.zero ... .milliseconds(16))
                    performer.cancel()
                }
            }
            await world.settled()

            #expect(try await store.state(of: Board.self).live.isEmpty)
        }
    }

    @Test("resets, cancelled lanes, and mixed policies leave nothing behind")
    func mixed() async {
        let lane = Relux.Lane("lane")
        let policies: [Relux.Policy] = [
            .shared, .conflated, .concurrent(limit: 2), .serial, .latest, .latest(limit: 2), .leading,
            .leading(limit: 2), .debounce(.milliseconds(2)), .throttle(.milliseconds(2)),
        ]
        await Simulation.explore(seeds: seeds(50)) { world in
            let saga = ClosureSaga<Job>(policy: \.policy) { job, context in
                try await world.latency(.zero ... .milliseconds(4), heedsCancellation: !world.fails(0.3))
                if job.name != "next", world.fails(0.2) {
                    // Into its own lane: it gets an answer or an error, but never waits forever.
                    _ = try? await context.perform(Job("inner", (world.random(of: policies) ?? .serial).in(lane)))
                }
                await context.dispatch(Log.Action.add("done"))
            }
            let store = try await world.store { saga.alone }
            for number in 0..<8 {
                let policy = (world.random(of: policies) ?? .serial).in(lane)
                let performer = world.task("performer \(number)") {
                    try await world.latency(.zero ... .milliseconds(8))
                    _ = try? await store.perform(Job("\(number)", policy))
                }
                if world.fails(0.3) {
                    world.task("canceller \(number)") {
                        try await world.latency(.zero ... .milliseconds(16))
                        performer.cancel()
                    }
                }
            }
            if world.fails(0.5) {
                world.task("resetter") {
                    try await world.latency(.zero ... .milliseconds(16))
                    if world.fails(0.5) { await store.reset() } else { await store.cancel(lane) }
                }
            }
            await world.settled()

            let next = await Ending.of { try await store.perform(Job("next", .latest.in(lane))) }
            #expect(next == .returned)
        }
    }
}
