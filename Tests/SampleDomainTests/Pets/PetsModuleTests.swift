import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The whole feature, with every action checked.
@Suite(.timeLimit(.minutes(10))) struct PetsModuleTests {
    private typealias Pages = Navigation.Stack

    private func store(_ service: some PetsService, pages: [Navigation.Page] = []) async throws -> TestStore {
        try await TestStore(Relux.StoreConfiguration(states: [Pages(path: pages)])) {
            Pets.Module(service: service, patience: Pets.Patience(limit: .seconds(10), jitter: 0))
        }
    }

    /// Opens a page of a pet, up to its load.
    private func open(_ id: Pet.ID, on store: TestStore, sourceLocation: SourceLocation = #_sourceLocation) async {
        await store.dispatch(Pets.Command.open(id), sourceLocation: sourceLocation)
        await store.receive(
            Pages.Action.push(.pet(id)), { (pages: inout Pages) in pages.reduce(.push(.pet(id))) },
            { (pets: inout Pets.State) in pets.reduce(.load(.pet(id))) }, sourceLocation: sourceLocation
        )
        await store.receive(Pets.Effect.load(.pet(id)), sourceLocation: sourceLocation)
    }

    @Test func `opening a pet pushes its page and loads it, in one step`() async throws {
        let store = try await store(ScriptedPetsService())

        await open("a", on: store)

        await store.receive(Pets.State.Action.petLoaded(.sample("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .loaded(.sample("a"))
        }
        await store.finish()
    }

    @Test func `two quick taps open one page, and the second load supersedes the first`() async throws {
        let service = ScriptedPetsService(one: { (id, attempt) throws(PetsServiceError) in
            if attempt == 1 { try await untilCancelled() }
            return .sample(id, name: "Question \(attempt)")
        })
        let store = try await store(service)

        await open("a", on: store)
        await store.dispatch(Pets.Command.open("a"))
        await store.receive(Pets.Effect.load(.pet("a")))

        await store.receive(Pets.State.Action.self) { (pets: inout Pets.State) in
            pets.details["a"] = .loaded(.sample("a", name: "Question 2"))
        }
        await store.finish()
    }

    @Test(
        arguments: [
            .pop, .popToRoot, .setPath([.pet("b")]), .replace(.pet("b")), .show(Navigation.Stack()),
        ] as [Navigation.Stack.Action])
    func `going back, in whatever way, cancels the load`(back: Navigation.Stack.Action) async throws {
        let service = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
            try await untilCancelled()
            return .sample(id)
        })
        let store = try await store(service)
        await open("a", on: store)

        await store.dispatch(back) { (pages: inout Pages) in pages.reduce(back) }
        await store.receive(Pets.State.Action.loadCancelled(.pet("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .idle
        }

        await store.finish()
        // The load, and the attempt within it.
        let outcomes = store.recorder.runs(of: Pets.Loader.self).map { $0.outcome?.description }
        #expect(outcomes == ["cancelled", "cancelled"])
    }

    @Test func `an answer that arrives after going back changes nothing, even if cancellation is ignored`() async throws
    {
        let gate = Gate()
        let service = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
            await gate.pass()
            return .sample(id)
        })
        let store = try await store(service)
        await open("a", on: store)

        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }
        await store.receive(Pets.State.Action.loadCancelled(.pet("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .idle
        }
        gate.open()

        await store.finish()
    }

    @Test func `going back in a pause ends the attempts`() async throws {
        let service = ScriptedPetsService(one: { (_, _) throws(PetsServiceError) in throw .offline })
        let store = try await store(service)
        await open("a", on: store)
        let setback = Pets.Setback(.offline, attempt: 1, limit: 4)
        await store.receive(Pets.State.Action.setBack(.pet("a"), setback)) { (pets: inout Pets.State) in
            pets.setbacks[.pet("a")] = setback
        }

        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }
        await store.receive(Pets.State.Action.loadCancelled(.pet("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .idle
            pets.setbacks = [:]
        }
        await store.advance(by: .seconds(60))

        await store.finish()
        #expect(service.questions == ["a"])
    }

    @Test func `a page that is covered continues loading`() async throws {
        let gate = Gate()
        let service = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
            if id == "a" { await gate.pass() }
            return .sample(id)
        })
        let store = try await store(service)

        await open("a", on: store)
        await open("b", on: store)
        await store.receive(Pets.State.Action.petLoaded(.sample("b"))) { (pets: inout Pets.State) in
            pets.details["b"] = .loaded(.sample("b"))
        }
        gate.open()

        await store.receive(Pets.State.Action.petLoaded(.sample("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .loaded(.sample("a"))
        }
        await store.finish()
    }

    @Test func `a pet with another page continues loading when one of them is closed`() async throws {
        let gate = Gate()
        let service = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
            await gate.pass()
            return .sample(id)
        })
        let store = try await store(service, pages: [.pet("a"), .pet("b")])
        await open("a", on: store)

        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages(path: [.pet("a"), .pet("b")]) }
        gate.open()
        await store.receive(Pets.State.Action.petLoaded(.sample("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .loaded(.sample("a"))
        }

        await store.finish()
    }

    @Test func `a page that is opened again immediately shows what was loaded before`() async throws {
        let service = ScriptedPetsService(one: { (id, attempt) throws(PetsServiceError) in
            if attempt > 1 { throw .missing }
            return .sample(id)
        })
        let store = try await store(service)
        await open("a", on: store)
        await store.receive(Pets.State.Action.petLoaded(.sample("a"))) { (pets: inout Pets.State) in
            pets.details["a"] = .loaded(.sample("a"))
        }
        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }

        await open("a", on: store)
        await store.receive(Pets.State.Action.loadFailed(.pet("a"), .missing)) { (pets: inout Pets.State) in
            pets.details["a"] = .failed(.missing, previous: .sample("a"))
        }

        await store.finish()
    }

    @Test func `a newer load of the catalogue supersedes the previous one`() async throws {
        let service = ScriptedPetsService(list: { (attempt) throws(PetsServiceError) in
            if attempt == 1 { try await untilCancelled() }
            return [.sample("a", name: "Question \(attempt)")]
        })
        let store = try await store(service)

        let first = await store.perform(Pets.Effect.load(.catalogue)) { (pets: inout Pets.State) in
            pets.catalogue = .loading(previous: nil)
        }
        await store.dispatch(Pets.Effect.load(.catalogue))
        await store.receive(Pets.State.Action.self) { (pets: inout Pets.State) in
            pets.catalogue = .loaded(Relux.Entities([.sample("a", name: "Question 2")], keeping: .first))
        }

        await store.finish()
        await #expect(throws: Relux.EffectError.self) { try await first.output() }
    }

    @Test func `cancelling the caller of a load leaves nothing loading`() async throws {
        let service = ScriptedPetsService(list: { (_) throws(PetsServiceError) in
            try await untilCancelled()
            return []
        })
        let store = try await store(service)

        let load = await store.perform(Pets.Effect.load(.catalogue)) { (pets: inout Pets.State) in
            pets.catalogue = .loading(previous: nil)
        }
        await load.cancel()
        await store.receive(Pets.State.Action.loadCancelled(.catalogue)) { (pets: inout Pets.State) in
            pets.catalogue = .idle
        }

        await store.finish()
    }
}
