import Relux
import ReluxTesting
import SampleServices
import TestFixtures
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

    /// The page with an id: they are numbered in the order in which they are opened.
    private func page(_ id: Pages.Entry.ID, of store: TestStore) -> TestStore.Scope {
        store.scope(of: PetPage.Module.self, id: id)
    }

    /// Opens a page of a pet, up to its load.
    private func open(
        _ pet: Pet.ID, as id: Pages.Entry.ID, on store: TestStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await store.dispatch(
            Pets.Command.open(pet), { (pages: inout Pages) in pages.reduce(.push(.pet(pet))) },
            sourceLocation: sourceLocation)
        await page(id, of: store).receive(PetPage.Effect.load, sourceLocation: sourceLocation)
        await page(id, of: store).receive(PetPage.State.Action.began, sourceLocation: sourceLocation)
    }

    /// Receives the pet of a page.
    private func load(
        _ pet: Pet, on id: Pages.Entry.ID, of store: TestStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await page(id, of: store).receive(
            PetPage.State.Action.loaded(pet), { (page: inout PetPage.State) in page.pet = .loaded(pet) },
            { (pets: inout Pets.State) in pets.seen[pet.id] = pet }, sourceLocation: sourceLocation)
    }

    private let waiting = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
        try await untilCancelled()
        return .sample(id)
    })

    @Test func `opening a pet pushes its page, which loads it`() async throws {
        let store = try await store(ScriptedPetsService())

        await open("a", as: 1, on: store)

        await load(.sample("a"), on: 1, of: store)
        await store.finish()
    }

    @Test func `a page that is there from the start loads as well`() async throws {
        let store = try await store(ScriptedPetsService(), pages: [.pet("a")])

        await page(1, of: store).receive(PetPage.Effect.load)
        await page(1, of: store).receive(PetPage.State.Action.began)

        await load(.sample("a"), on: 1, of: store)
        await store.finish()
    }

    @Test func `two quick taps open one page, which loads once`() async throws {
        let gate = Gate()
        let service = ScriptedPetsService(one: { (id, _) throws(PetsServiceError) in
            await gate.pass()
            return .sample(id)
        })
        let store = try await store(service)

        await open("a", as: 1, on: store)
        await store.dispatch(Pets.Command.open("a"))
        gate.open()

        await load(.sample("a"), on: 1, of: store)
        await store.finish()
        #expect(service.questions == ["a"])
    }

    @Test(
        arguments: [
            .pop, .popToRoot, .setPath([.pet("b")]), .replace(.pet("b")), .show(Navigation.Stack()),
        ] as [Navigation.Stack.Action])
    func `going back, in whatever way, cancels the load in the same step`(back: Navigation.Stack.Action) async throws {
        let store = try await store(waiting)
        await open("a", as: 1, on: store)

        await store.withExhaustivity(.off) {
            await store.dispatch(back)
            await store.skipRuns()
        }

        await store.finish()
        // The load, and the attempt within it.
        let outcomes = store.recorder.runs(of: PetPage.Loader.self).prefix(2).map { $0.outcome?.description }
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
        await open("a", as: 1, on: store)

        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }
        gate.open()

        await store.finish()
    }

    @Test func `going back in a pause ends the attempts`() async throws {
        let service = ScriptedPetsService(one: { (_, _) throws(PetsServiceError) in throw .offline })
        let store = try await store(service)
        await open("a", as: 1, on: store)
        let setback = Pets.Setback(.offline, attempt: 1, limit: 4)
        await page(1, of: store).receive(PetPage.State.Action.setBack(setback)) { (page: inout PetPage.State) in
            page.setback = setback
        }

        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages = Pages() }
        await store.advance(by: .seconds(60))

        await store.finish()
        #expect(service.questions == ["a"])
    }

    @Test func `a page that is covered continues loading, also if it is of the same pet`() async throws {
        let gate = Gate()
        let service = ScriptedPetsService(one: { (id, attempt) throws(PetsServiceError) in
            if attempt == 1 { await gate.pass() }
            return .sample(id, name: "Answer \(attempt)")
        })
        let store = try await store(service)

        await open("a", as: 1, on: store)
        await open("b", as: 2, on: store)
        await load(.sample("b", name: "Answer 2"), on: 2, of: store)
        await open("a", as: 3, on: store)
        await load(.sample("a", name: "Answer 3"), on: 3, of: store)
        await store.dispatch(Pages.Action.pop) { (pages: inout Pages) in pages.reduce(.pop) }
        gate.open()

        await load(.sample("a", name: "Answer 1"), on: 1, of: store)
        await store.finish()
    }

    @Test func `a newer load of the catalogue supersedes the previous one`() async throws {
        let service = ScriptedPetsService(list: { (attempt) throws(PetsServiceError) in
            if attempt == 1 { try await untilCancelled() }
            return [.sample("a", name: "Question \(attempt)")]
        })
        let store = try await store(service)

        let first = await store.perform(Pets.Effect.load)
        await store.receive(Pets.State.Action.began) { (pets: inout Pets.State) in
            pets.catalogue = .loading(previous: nil)
        }
        await store.dispatch(Pets.Effect.load)
        await store.receive(Pets.State.Action.began)
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

        let load = await store.perform(Pets.Effect.load)
        await store.receive(Pets.State.Action.began) { (pets: inout Pets.State) in
            pets.catalogue = .loading(previous: nil)
        }
        await load.cancel()
        await store.receive(Pets.State.Action.cancelled) { (pets: inout Pets.State) in
            pets.catalogue = .idle
        }

        await store.finish()
    }
}
