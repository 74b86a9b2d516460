import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Attacks each policy with many performers, cancellations, and failures, under many interleavings.
@Suite("Law 9: policies under random schedules", .timeLimit(.minutes(10)))
struct PolicySchedulesTests {
    /// A policy and how many of its runs may be live at the same time.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let policy: Relux.Policy
        let limit: Int
    }

    static let cases = [
        Case(testDescription: "shared", policy: .shared, limit: 1),
        Case(testDescription: "shared in a lane", policy: .shared.in(Relux.Lane("lane")), limit: 1),
        Case(testDescription: "conflated", policy: .conflated, limit: 1),
        Case(testDescription: "limited to 2", policy: .concurrent(limit: 2), limit: 2),
        Case(testDescription: "serial in a lane", policy: .serial.in(Relux.Lane("lane")), limit: 1),
        Case(testDescription: "leading", policy: .leading, limit: 1),
        Case(testDescription: "leading, limited to 2", policy: .leading(limit: 2), limit: 2),
        Case(
            testDescription: "throttle without trailing", policy: .throttle(.milliseconds(5), trailing: false), limit: 9
        ),
        Case(
            testDescription: "debounce keeping active", policy: .debounce(.milliseconds(3), keepingActive: true),
            limit: 9),
        Case(testDescription: "shared in the background", policy: .shared.background, limit: 1),
    ]

    /// The runs that are live, and those that have been cancelled, as they say themselves.
    struct Board: Relux.State {
        var live: Set<Int> = []
        var cancelled: Set<Int> = []
        var mostLive = 0
        var hasLateWrite = false

        enum Action: Relux.Action, Hashable {
            case started(Int)
            case wrote(Int)
            case ended(Int)
            case cancelled(Int)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .started(let run):
                live.insert(run)
                mostLive = max(mostLive, live.count)
                if cancelled.contains(run) { hasLateWrite = true }
            case .wrote(let run):
                if cancelled.contains(run) { hasLateWrite = true }
            case .ended(let run):
                live.remove(run)
                if cancelled.contains(run) { hasLateWrite = true }
            case .cancelled(let run):
                live.remove(run)
                cancelled.insert(run)
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
        func actionOnCancel(_ task: Task) -> (any Relux.Action)? { Board.Action.cancelled(task.number) }

        func run(_ task: Task, in context: Relux.SagaContext) async throws -> Int {
            await context.dispatch(Board.Action.started(task.number))
            for _ in 0..<2 {
                // A service that sometimes ignores cancellation.
                try await world.latency(.zero ... .milliseconds(4), heedsCancellation: !world.fails(0.3))
                await context.dispatch(Board.Action.wrote(task.number))
            }
            await context.dispatch(Board.Action.ended(task.number))
            if world.fails(0.2) { throw TestFailure(name: "\(task.number)") }
            return task.number
        }
    }

    struct Module: Relux.Module {
        let flow: Flow
        var states: [any Relux.State] { [Board()] }
        var flows: [any Relux.Flow] { [flow] }
    }

    @Test(
        "every performer gets an answer, no more runs than allowed are live, and nothing is written after cancellation",
        arguments: cases
    )
    func promises(_ one: Case) async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let store = try await world.store { Module(flow: Flow(policy: one.policy, world: world)) }
            let answers = Trace<String>()
            world.always("at most \(one.limit) live runs", of: Board.self) { $0.mostLive <= one.limit }
            world.always("no write after cancellation", of: Board.self) { !$0.hasLateWrite }

            for number in 0..<6 {
                let isCancelled = world.fails(0.4)
                let performer = world.task("performer \(number)") {
                    try await world.latency(.zero ... .milliseconds(8))
                    do {
                        _ = try await store.perform(Task(number: number))
                        answers.note("returned")
                    } catch Relux.EffectError.failed(is TestFailure), Relux.EffectError.superseded,
                        Relux.EffectError.dropped
                    {
                        answers.note("threw")
                    } catch Relux.EffectError.cancelled where isCancelled {
                        answers.note("cancelled")
                    }
                }
                guard isCancelled else { continue }
                world.task("canceller \(number)") {
                    try await world.latency(.zero ... .milliseconds(16))
                    performer.cancel()
                }
            }
            await world.settled()

            #expect(answers.entries.count <= 6)
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
