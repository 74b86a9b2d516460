import Relux
import ReluxTesting
import TestFixtures
import Testing

/// What an app does with hooks and `finish`: a state that never stays loading.
@Suite("A loading flag that hooks and finish keep right", .timeLimit(.minutes(10)))
struct LoadingTests {
    /// A list that a user scrolls, and that is refreshed.
    private struct List: Relux.State {
        var items: [Int] = []
        var isLoading = false

        enum Action: Relux.Action, Hashable { case began, ended, loaded([Int]) }

        mutating func reduce(_ action: Action) {
            isLoading = action == .began
            if case .loaded(let items) = action { self.items += items }
        }
    }

    private struct Load: Relux.Effect, Hashable {}

    private struct Loader: Relux.Saga {
        let policy: Relux.Policy
        let load: @Sendable (_ start: Int, Relux.SagaContext) async throws -> [Int]
        /// What the body does after the answer is shown.
        var afterwards: @Sendable () async -> Void = {}

        func policy(for trigger: Load) -> Relux.Policy { policy }
        func actionOnStart(_ trigger: Load) -> (any Relux.Action)? { List.Action.began }
        func actionOnCancel(_ trigger: Load) -> (any Relux.Action)? { List.Action.ended }

        func run(_ trigger: Load, in context: Relux.SagaContext) async throws {
            let start = try await context.state(of: List.self).items.count
            await context.finish(with: List.Action.loaded(try await load(start, context)))
            await afterwards()
        }

        var module: Part<TagA> { Part(states: [List()], sagas: [self]) }
    }

    /// Scrolls as soon as nothing is loading, and waits for what that loads.
    private static func scroll(_ store: Relux.Store, until count: Int) async throws {
        var shown = 0
        while shown < count {
            let list = try await store.wait(until: List.self) { !$0.isLoading }
            shown = list.items.count
            if shown < count { await store.dispatch(Load()) }
        }
        try await store.wait(until: List.self) { !$0.isLoading }
    }

    @Test("infinite scroll in 1,000 seeds, with a second user who scrolls at any time")
    func scrollInSeeds() async {
        let report = await Simulation.explore(seeds: seeds(1_000)) { world in
            let loader = Loader(policy: .leading) { start, _ in
                try await world.latency(.zero ... .seconds(2))
                return [start, start + 1]
            } afterwards: {
                try? await world.latency(.zero ... .milliseconds(1))
            }
            let store = try await world.store { loader.module }
            world.always("no gaps, nothing twice", of: List.self) { $0.items == Array(0..<$0.items.count) }
            world.finally("nothing is loading", of: List.self) { !$0.isLoading && $0.items.count >= 10 }

            world.task("impatient user") {
                for _ in 0..<5 {
                    await store.dispatch(Load())
                    try await world.latency(.zero ... .seconds(1))
                }
            }
            try await Self.scroll(store, until: 10)
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test(
        "a reload after a mutation: a conflated trigger in the gap is neither lost nor left loading, over 1,000 seeds"
    )
    func reload() async {
        let report = await Simulation.explore(seeds: seeds(1_000)) { world in
            let version = Lock(0)
            let loader = Loader(policy: .conflated) { _, _ in
                let current = version.withLock { $0 }
                try await world.latency(.zero ... .seconds(1))
                return [current]
            }
            let store = try await world.store { loader.module }
            world.finally("the newest version is shown", of: List.self) { !$0.isLoading && $0.items.last == 5 }

            for _ in 0..<5 {
                try await world.latency(.zero ... .seconds(1))
                version.withLock { $0 += 1 }
                await store.dispatch(Load())
            }
        }

        #expect(report.failure == nil, "\(report)")
    }
}
