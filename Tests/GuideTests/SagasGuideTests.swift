import Relux
import ReluxTesting
import TestFixtures
import Testing

// The code of Docs/Sagas.md and of the page for users of redux-saga. Tools/check-docs.swift compares the pages with it.

enum Downloads {
    struct State: Relux.State, Hashable {
        var names: [String] = []
        var notes: [String] = []

        enum Action: Relux.Action, Hashable { case added(String), prefetched, noted(String), interrupted }

        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let name): names.append(name)
            case .noted(let note): notes.append(note)
            case .prefetched, .interrupted: break
            }
        }
    }

    struct Prefetch: Relux.Effect, Hashable {}

    struct Fetch: Relux.Effect, Hashable {
        typealias Output = String
        let name: String
    }

    struct Fetcher: Relux.Flow {
        func policy(for fetch: Fetch) -> Relux.Policy { .shared(id: fetch.name) }

        func run(_ fetch: Fetch, in context: Relux.SagaContext) async throws -> String {
            try await context.sleep(for: .milliseconds(10))
            return "content of \(fetch.name)"
        }
    }

    struct TakeTour: Relux.Effect, Hashable {}
}

struct Tour: Relux.Saga {
    // takeLeading
    func policy(for trigger: Downloads.TakeTour) -> Relux.Policy { .leading }

    // cancelled() in finally
    func actionOnCancel(_ trigger: Downloads.TakeTour) -> (any Relux.Action)? { Downloads.State.Action.interrupted }

    func run(_ trigger: Downloads.TakeTour, in context: Relux.SagaContext) async throws {
        // put
        await context.dispatch(Downloads.State.Action.added("a"))
        context.send(Downloads.State.Action.added("b"))
        await context.actions { Downloads.Prefetch() }

        // call: a child run
        let first = try await context.call(Downloads.Fetch(name: "a"))
        try await context.perform(Downloads.Prefetch())

        // select
        let names = try await context.state(of: Downloads.State.self).names
        let count = await context.read { reader in reader[Downloads.State.self]?.names.count }

        // take: create the stream before sending what it will answer
        let actions = context.actionStream(of: Downloads.State.Action.self)
        context.send(Downloads.Prefetch())
        let answer = await actions.first { $0 == .prefetched }

        // fork, join, all
        async let second = context.call(Downloads.Fetch(name: "b"))
        async let third = context.call(Downloads.Fetch(name: "c"))
        let both = try await [second, third]

        // race: the group cancels the loser
        let winner = try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await context.call(Downloads.Fetch(name: "d")) }
            group.addTask {
                try await context.sleep(for: .seconds(5))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }

        // cancel
        await context.cancel(Downloads.Fetcher.self, id: "e")

        // delay
        try await context.sleep(for: .milliseconds(500))

        // retry
        let last = try await context.retry(.exponential(base: .seconds(1), attempts: 3)) {
            try await context.call(Downloads.Fetch(name: "f"))
        }

        for note in ["\(names)", "\(count ?? 0)", "\(answer == .prefetched)", first, winner ?? "", last] + both {
            await context.dispatch(Downloads.State.Action.noted(note))
        }
    }
}

struct MessageChannel: Relux.Watcher {
    let messages: AsyncStream<String>

    // eventChannel
    func watch(in context: Relux.SagaContext) async throws {
        for await message in messages { await context.dispatch(Downloads.State.Action.noted(message)) }
    }
}

/// The first lines of a feature whose requests all need a token.
private enum Session {
    struct RefreshToken: Relux.Effect, Hashable {
        typealias Output = String
    }

    struct Refresher: Relux.Flow {
        let renew: @Sendable () async throws -> String

        func policy(for trigger: RefreshToken) -> Relux.Policy { .shared }

        func run(_ trigger: RefreshToken, in context: Relux.SagaContext) async throws -> String {
            try await renew()
        }
    }

    struct Module: Relux.Module {
        let refresher: Refresher

        var flows: [any Relux.Flow] { [refresher] }
    }
}

/// A list of titles that is loaded.
private enum Titles {
    struct State: Relux.State, Hashable {
        var titles: [String] = []
        var isLoading = false
        var message: String?

        enum Action: Relux.Action, Hashable { case began, loaded([String]), ended(String?) }

        mutating func reduce(_ action: Action) {
            isLoading = action == .began
            switch action {
            case .began: message = nil
            case .loaded(let titles): self.titles = titles
            case .ended(let message): self.message = message
            }
        }
    }

    struct Load: Relux.Effect, Hashable {}

    struct Loader: Relux.Saga {
        let titles: @Sendable () async throws -> [String]

        func policy(for load: Load) -> Relux.Policy { .leading }

        func actionOnStart(_ load: Load) -> (any Relux.Action)? { State.Action.began }

        func actionOnCancel(_ load: Load) -> (any Relux.Action)? { State.Action.ended(nil) }

        /// An outcome of what the run has performed is no alert, but ends the spinner.
        func actionOnFailure(_ load: Load, _ error: any Error) -> (any Relux.Action)? {
            State.Action.ended(Relux.EffectError(error).failure.map { "\($0)" })
        }

        func run(_ load: Load, in context: Relux.SagaContext) async throws {
            await context.finish(with: State.Action.loaded(try await titles()))
        }
    }

    struct Module: Relux.Module {
        let loader: Loader

        var states: [any Relux.State] { [State()] }
        var sagas: [any Relux.Saga] { [loader] }
    }
}

/// Documentation that can't rot: the snippets of the guide are compiled and run.
@Suite("Docs/Sagas.md", .timeLimit(.minutes(10)))
struct SagasGuideTests {
    private struct Lost: Error {}

    private struct Module: Relux.Module {
        var messages = AsyncStream<String> { $0.finish() }

        var states: [any Relux.State] { [Downloads.State()] }
        var flows: [any Relux.Flow] { [Downloads.Fetcher()] }
        var watchers: [any Relux.Watcher] { [MessageChannel(messages: messages)] }
        var sagas: [any Relux.Saga] {
            [
                Tour(),
                Relux.Reaction(to: Downloads.Prefetch.self) { _, context in
                    await context.dispatch(Downloads.State.Action.prefetched)
                },
            ]
        }
    }

    @Test("every row of the table does what it says")
    func table() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let store = try await world.store { Module() }

            try await store.perform(Downloads.TakeTour())

            let notes = try await store.state(of: Downloads.State.self).notes
            let contents = ["a", "d", "f", "b", "c"].map { "content of \($0)" }
            #expect(notes == [#"["a", "b"]"#, "2", "true"] + contents)
        }
    }

    @Test("a cancelled tour is cleaned up after")
    func cancelled() async throws {
        let store = try await Relux.Store(.init(clock: ManualClock())) { Module() }
        let actions = store.actionStream(of: Downloads.State.Action.self)

        let receipt = await store.dispatch(Downloads.TakeTour())
        receipt.cancel()
        await receipt.finished()

        #expect(await actions.first { $0 == .interrupted } != nil)
    }

    @Test("a watcher passes on what a channel delivers")
    func channel() async throws {
        let (messages, continuation) = AsyncStream.makeStream(of: String.self)
        let store = try await Relux.Store { Module(messages: messages) }

        continuation.yield("hello")

        try await store.wait(until: Downloads.State.self) { $0.notes == ["hello"] }
    }

    @Test("ten requests with an expired token refresh it once")
    func refresh() async throws {
        let count = Shared(0)
        let gate = Gate()
        let refresher = Session.Refresher {
            count.change { $0 += 1 }
            await gate.pass()
            return "token"
        }
        let store = try await Relux.Store { Session.Module(refresher: refresher) }
        let triggers = store.actionStream(of: Session.RefreshToken.self)
        var iterator = triggers.makeAsyncIterator()

        let requests = (0..<10).map { _ in Task { try await store.call(Session.RefreshToken()) } }
        for _ in requests { _ = await iterator.next() }
        gate.open()

        for request in requests { #expect(try await request.value == "token") }
        #expect(count.value == 1)
    }

    @Test(
        "a state that follows its runs doesn't stay loading, however they end",
        arguments: ["", "lost", "superseded"])
    func hooks(fault: String) async throws {
        let loader = Titles.Loader {
            switch fault {
            case "lost": throw Lost()
            case "superseded": throw Relux.EffectError.superseded
            default: return ["a"]
            }
        }
        let store = try await Relux.Store { Titles.Module(loader: loader) }

        let load = await store.dispatch(Titles.Load())
        await store.dispatch(Titles.Load())
        await load.finished()

        let expected: Titles.State =
            switch fault {
            case "lost": Titles.State(message: "\(Lost())")
            case "superseded": Titles.State()
            default: Titles.State(titles: ["a"])
            }
        try await store.idle()
        #expect(try await store.state(of: Titles.State.self) == expected)
    }
}
