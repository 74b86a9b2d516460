import Foundation
import Relux
import ReluxTesting
import Testing

// The snippets of Docs/Testing.md and Docs/Simulation.md. The lines between `snippet` and `end` below also appear
// there, word for word. The last test of this file compares them.

// snippet
enum Search {
    struct State: Relux.State, Hashable {
        var query = ""
        var results: [String] = []
        var isLoading = false

        enum Action: Relux.Action, Hashable { case found([String]), cleared }

        mutating func reduce(_ action: Action) {
            switch action {
            case .found(let results):
                self.results = results
                isLoading = false
            case .cleared:
                self = State()
            }
        }
    }

    struct Find: Relux.Effect, Hashable {
        let query: String
    }

    struct Saga: Relux.Saga {
        let service: any SearchService
        let policy: Relux.Policy

        func policy(for find: Find) -> Relux.Policy { policy }

        func run(_ find: Find, in context: Relux.SagaContext) async throws {
            // The pause in the typing: a newer query supersedes this run meanwhile, and at any time after.
            try await context.sleep(for: .milliseconds(300))
            let results = try await service.results(for: find.query)
            await context.dispatch(State.Action.found(results))
        }
    }

    struct Module: Relux.Module {
        let service: any SearchService
        var policy = Relux.Policy.latest

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Find.self) { state, find in
                    state.query = find.query
                    state.isLoading = true
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Saga(service: service, policy: policy)] }
    }
}

protocol SearchService: Sendable {
    func results(for query: String) async throws -> [String]
}
// end

// snippet
struct InstantSearch: SearchService {
    func results(for query: String) async throws -> [String] { ["\(query) 1", "\(query) 2"] }
}
// end

// snippet
struct BrokenSearch: SearchService {
    struct Offline: Error {}

    func results(for query: String) async throws -> [String] { throw Offline() }
}
// end

// snippet
struct SlowSearch: SearchService {
    let world: Simulation.World

    func results(for query: String) async throws -> [String] {
        try await world.latency(.milliseconds(5) ... .milliseconds(500))
        return ["\(query) 1"]
    }
}
// end

@Suite("Docs/Testing.md and Docs/Simulation.md", .timeLimit(.minutes(10)))
struct TestingGuideTests {
    // snippet
    @Test("results end the loading")
    func reducer() {
        var state = Search.State(query: "swift", isLoading: true)

        state.reduce(.found(["swift 1"]))

        expectNoDifference(state, Search.State(query: "swift", results: ["swift 1"]))
    }
    // end

    // snippet
    @Test("whatever happens, nothing loads once results are there")
    func everyState() {
        let start = Search.State(query: "a", isLoading: true)
        StateSpace.explore(from: start, actions: [.found(["a"]), .found([]), .cleared]) { state in
            state.results.isEmpty || !state.isLoading
        }
    }

    @Test("the reducer is pure")
    func purity() {
        expectPure(from: Search.State(), seed: 7) { _, generator in
            Bool.random(using: &generator) ? .cleared : .found(["a"])
        }
    }
    // end

    // snippet
    @Test("a search asks once the typing has paused")
    func debouncedSearch() async throws {
        let store = try await TestStore { Search.Module(service: InstantSearch()) }

        await store.dispatch(Search.Find(query: "s")) { (state: inout Search.State) in
            state.query = "s"
            state.isLoading = true
        }
        await store.dispatch(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
        }
        await store.advance(by: .milliseconds(300))
        await store.receive(Search.State.Action.found(["swift 1", "swift 2"])) { (state: inout Search.State) in
            state.results = ["swift 1", "swift 2"]
            state.isLoading = false
        }
        await store.finish()
    }
    // end

    // snippet
    @Test("the results are those of the query")
    func onlyWhatMatters() async throws {
        let store = try await TestStore(exhaustivity: .off) { Search.Module(service: InstantSearch()) }

        await store.dispatch(Search.Find(query: "swift"))
        await store.advance(by: .seconds(1))
        await store.receive(Search.State.Action.self) { (state: inout Search.State) in
            state.results = ["swift 1", "swift 2"]
        }
    }
    // end

    // snippet
    @Test("a search pauses, asks, and tells what was found")
    func saga() async throws {
        let saga = Search.Saga(service: InstantSearch(), policy: .latest)
        let tester = try await SagaTester(saga, states: [Search.State(query: "swift")])

        await tester.start(Search.Find(query: "swift"))
        await tester.advance(by: .milliseconds(300))

        #expect(tester.sleeps == [.milliseconds(300)])
        #expect(tester.dispatched(Search.State.Action.self) == [.found(["swift 1", "swift 2"])])
        #expect(tester.outcome?.description == "finished")
    }
    // end

    // snippet
    @Test("the old run is superseded")
    func recording() async throws {
        let recorder = RecordingObserver()
        let clock = ManualClock()
        let configuration = Relux.StoreConfiguration(clock: clock, observers: [recorder])
        let store = try await Relux.Store(configuration) { Search.Module(service: InstantSearch()) }

        await store.dispatch(Search.Find(query: "s"))
        await store.dispatch(Search.Find(query: "swift"))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(300))
        await recorder.first(Search.State.Action.self)
        try await store.idle()

        #expect(recorder.runs(of: Search.Saga.self).map { $0.outcome?.description } == ["superseded", "finished"])
    }
    // end

    // snippet
    @Test("the results are those of the last query, in every order")
    func simulation() async {
        await Simulation.explore(seeds: 0..<200) { world in
            let store = try await world.store { Search.Module(service: SlowSearch(world: world)) }
            world.always("results fit the query", of: Search.State.self) { state in
                state.isLoading || state.results.allSatisfy { $0 == "\(state.query) 1" }
            }
            world.finally("nothing loads any more", of: Search.State.self) { !$0.isLoading }

            for query in ["s", "sw", "swift"] {
                await store.dispatch(Search.Find(query: query))
                try await world.latency(.milliseconds(50) ... .milliseconds(600))
            }
        }
    }
    // end

    @Test("what the guide says about other policies is true, and the failure it shows is the actual one")
    func simulationFailures() async throws {
        let reports = await [breaking(.concurrent), breaking(.debounce(.milliseconds(300)))]

        let failure = try #require(reports.first?.failure)
        #expect(reports.last?.failure != nil)
        expectNoDifference(try Guide.blocks(of: "text").last ?? [], Guide.lines(of: "\(failure)"))
    }

    /// The scenario of the guide with another policy.
    private func breaking(_ policy: Relux.Policy) async -> Simulation.Report {
        await Simulation.search(seeds: 0..<200) { world in
            let store = try await world.store {
                Search.Module(service: SlowSearch(world: world), policy: policy)
            }
            world.always("results fit the query", of: Search.State.self) { state in
                state.isLoading || state.results.allSatisfy { $0 == "\(state.query) 1" }
            }
            for query in ["s", "sw", "swift"] {
                await store.dispatch(Search.Find(query: query))
                try await world.latency(.milliseconds(50) ... .milliseconds(600))
            }
        }
    }

    @Test("the failure of a test store that the guide shows is the actual one")
    func testStoreFailure() async throws {
        let store = try await TestStore(exhaustivity: .off) { Search.Module(service: InstantSearch()) }
        await store.dispatch(Search.Find(query: "swift"))

        let issues = await recordedIssues { await store.receive(Search.State.Action.found(["swift 1"])) }

        expectNoDifference(try Guide.blocks(of: "text").first ?? [], Guide.lines(of: issues.first?.text ?? ""))
    }

    // snippet
    @Test("two users, one of them offline now and then")
    func severalActors() async {
        await Simulation.explore(seeds: 0..<50) { world in
            let store = try await world.store { Search.Module(service: SlowSearch(world: world)) }

            for user in ["ann", "bob"] {
                world.task(user) {
                    for _ in 0..<world.random(in: 1...3) {
                        try await world.latency(.zero ... .seconds(2))
                        if world.fails(0.2) { continue }
                        await store.dispatch(Search.Find(query: user))
                    }
                }
            }
            await world.settled()

            let state = try await store.state(of: Search.State.self)
            #expect(state.results == (state.query.isEmpty ? [] : ["\(state.query) 1"]))
        }
    }
    // end

    // snippet
    @Test("a test of one step skips what comes before")
    func skipping() async throws {
        let store = try await TestStore { Search.Module(service: InstantSearch()) }

        await store.withExhaustivity(.off) {
            await store.dispatch(Search.Find(query: "swift"))
            await store.advance(by: .seconds(1))
        }
        await store.dispatch(.cleared, to: Search.State.self) { $0 = Search.State() }

        await store.finish()
    }
    // end

    // snippet
    @Test("an error that nobody receives is stated before")
    func statedFailure() async throws {
        let store = try await TestStore(exhaustivity: .off) { Search.Module(service: BrokenSearch()) }
        await store.expectFailure(BrokenSearch.Offline.self)

        await store.dispatch(Search.Find(query: "swift"))
        await store.advance(by: .seconds(1))

        await store.finish()
    }
    // end

    // snippet
    @Test("a caller of the search gets its error")
    func performing() async throws {
        let store = try await TestStore { Search.Module(service: BrokenSearch()) }

        let performance = await store.perform(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
            state.isLoading = true
        }
        await store.advance(by: .milliseconds(300))

        await #expect(throws: Relux.EffectError.self) { try await performance.output() }
        await store.finish()
    }
    // end

    // snippet
    @Test("results come in time, whatever the service does")
    func liveness() async {
        let report = await Simulation.explore(seeds: 0..<100) { world in
            let store = try await world.store { Search.Module(service: SlowSearch(world: world)) }

            await store.dispatch(Search.Find(query: "swift"))
            await world.eventually("nothing loads", of: Search.State.self, within: .seconds(1)) { !$0.isLoading }
        }

        #expect(report.isSaturated)
    }
    // end

    // snippet
    @Test("any sequence of searches leaves the results of the last one")
    func commands() async {
        await Simulation.explore(seeds: 0..<50) { world in
            let store = try await world.store { Search.Module(service: SlowSearch(world: world)) }

            try await world.commands(10, against: store, of: Search.State.self, model: "") { _, random in
                ["", "s", "swift"].randomElement(using: &random)
            } run: { query, store in
                if query.isEmpty {
                    await store.dispatch(Search.State.Action.cleared)
                } else {
                    await store.dispatch(Search.Find(query: query)).finished()
                }
            } update: { model, query in
                model = query
            } agree: { model, state in
                state.results == (model.isEmpty ? [] : ["\(model) 1"])
            }
        }
    }
    // end

    @Test("the guides' snippets are those compiled here, word for word")
    func guideIsCompiled() throws {
        let shown = try Guide.blocks(of: "swift").map { $0.joined(separator: "\n") }
        let compiled = try Guide.snippets().map { $0.joined(separator: "\n") }

        #expect(shown.count > 5)
        expectNoDifference(shown.sorted(), compiled.sorted())
    }
}

/// The guides, and the snippets of this file.
private enum Guide {
    /// Returns the code blocks of both guides in a language, as lines.
    static func blocks(of language: String) throws -> [[String]] {
        try ["Testing", "Simulation"].flatMap { guide in
            try parts(of: root + "/Docs/\(guide).md", from: "```\(language)", to: "```")
        }
    }

    /// Returns the lines between the marks of this file, without the indentation of each snippet's first line.
    static func snippets() throws -> [[String]] {
        try parts(of: "\(#filePath)", from: "// snippet", to: "// end").map { lines in
            let indentation = lines.first?.prefix { $0 == " " } ?? ""
            return lines.map { $0.hasPrefix(indentation) ? String($0.dropFirst(indentation.count)) : $0 }
        }
    }

    /// Returns a text as the guide shows it, with the file of an app in place of this one.
    static func lines(of text: String) -> [String] {
        text.replacing(/ReluxTestingTests\/TestingGuideTests.swift:\d+/, with: "AppTests/SearchTests.swift:12")
            .components(separatedBy: "\n")
    }

    private static var root: String {
        "\(#filePath)".components(separatedBy: "/Tests/").dropLast().joined(separator: "/Tests/")
    }

    private static func parts(of path: String, from start: String, to end: String) throws -> [[String]] {
        var parts: [[String]] = []
        var open: [String]?
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            switch (line.trimmingCharacters(in: .whitespaces), open) {
            case (start, nil): open = []
            case (end, let lines?):
                parts.append(lines)
                open = nil
            case (_, .some): open?.append(line)
            default: break
            }
        }
        return parts
    }
}
