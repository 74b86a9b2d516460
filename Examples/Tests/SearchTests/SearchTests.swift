import Relux
import ReluxTesting
import Testing

@testable import Search

@Suite("Search", .timeLimit(.minutes(1)))
struct SearchTests {
    private struct Library: SearchService {
        var isOffline = false

        func titles(for query: String) async throws -> [String] {
            if isOffline { throw SearchError.offline }
            return ["All about \(query)"]
        }
    }

    @Test("one answer arrives, when the typing has paused")
    func pause() async throws {
        let store = try await TestStore { Search.Module(service: Library()) }

        await store.dispatch(Search.Find(query: "sw")) { (state: inout Search.State) in
            state.query = "sw"
            state.titles = .loading(previous: nil)
        }
        await store.advance(by: .milliseconds(200))
        await store.dispatch(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
        }
        await store.advance(by: .milliseconds(300))
        await store.receive(Search.State.Action.found(["All about swift"])) { (state: inout Search.State) in
            state.titles = .loaded(["All about swift"])
        }

        await store.finish()
    }

    @Test("a failure is part of the state")
    func failure() async throws {
        let store = try await TestStore { Search.Module(service: Library(isOffline: true)) }

        await store.dispatch(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
            state.titles = .loading(previous: nil)
        }
        await store.advance(by: .milliseconds(300))
        await store.receive(Search.State.Action.failed(.offline)) { (state: inout Search.State) in
            state.titles = .failed(.offline, previous: nil)
        }

        await store.finish()
    }

    @Test("an emptied field ends the search")
    func emptied() async throws {
        let store = try await TestStore { Search.Module(service: Library()) }

        await store.dispatch(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
            state.titles = .loading(previous: nil)
        }
        await store.dispatch(Search.Find(query: "")) { (state: inout Search.State) in
            state.query = ""
            state.titles = .idle
        }
        await store.advance(by: .seconds(1))

        await store.finish()
    }

    @Test("a cancelled search doesn't stay loading")
    func cancellation() async throws {
        let store = try await TestStore { Search.Module(service: Library()) }

        await store.dispatch(Search.Find(query: "swift")) { (state: inout Search.State) in
            state.query = "swift"
            state.titles = .loading(previous: nil)
        }
        try await store.run { store in await store.cancel(Search.Finder.self) }
        await store.receive(Search.State.Action.stopped) { (state: inout Search.State) in
            state.titles = .idle
        }

        await store.finish()
    }

    @Test("new titles fit the query, however slow the service is")
    func everyOrder() async {
        struct SlowLibrary: SearchService {
            let world: Simulation.World

            func titles(for query: String) async throws -> [String] {
                try await world.latency(.milliseconds(5) ... .seconds(2))
                return ["All about \(query)"]
            }
        }

        await Simulation.explore(seeds: 0..<100) { world in
            let store = try await world.store { Search.Module(service: SlowLibrary(world: world)) }
            world.always("loaded titles fit the query", of: Search.State.self) { state in
                !state.titles.isLoaded || state.titles.value == ["All about \(state.query)"]
            }
            world.finally("nothing loads any more", of: Search.State.self) { !$0.titles.isLoading }

            for query in ["s", "sw", "swift"] {
                await store.dispatch(Search.Find(query: query))
                try await world.latency(.zero ... .seconds(1))
            }
        }
    }
}
