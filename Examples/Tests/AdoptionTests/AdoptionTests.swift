import Observation
import Relux
import ReluxTesting
import Testing

@testable import Adoption

@Suite("Adoption", .timeLimit(.minutes(1)))
@MainActor
struct AdoptionTests {
    private let soup = Recipe(id: 1, title: "Soup")
    private let cake = Recipe(id: 2, title: "Cake")

    private func store() async throws -> Relux.Store { try await Relux.Store { Favorites.Module() } }

    @Test("a model shows what is in the store, and has changed when its method returns")
    func model() async throws {
        let store = try await store()
        let model = try CatalogModel(store: store)
        (model.recipes, model.showsFavorites) = ([soup, cake], true)

        model.toggleFavorite(2)
        #expect(model.shown == [cake])

        model.toggleFavorite(2)
        #expect(model.shown.isEmpty)
    }

    @Test("who observes the model is told of a change in the store")
    func observation() async throws {
        let store = try await store()
        let model = try CatalogModel(store: store)
        (model.recipes, model.showsFavorites) = ([soup, cake], true)
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = model.shown
        } onChange: {
            change.yield()
        }

        await store.dispatch(Favorites.State.Action.added(1))
        for await _ in changes { break }

        #expect(model.shown == [soup])
    }

    @Test("the feature has heard an action of the loop when the loop's call returns")
    func loop() async throws {
        let store = try await store()
        let model = try CatalogModel(store: store)
        let loop = AccountLoop()
        loop.announceActions(to: store)
        (model.recipes, model.showsFavorites) = ([soup, cake], true)
        loop.dispatch(.signedIn("ann"))
        model.toggleFavorite(1)
        #expect(model.shown == [soup])

        loop.dispatch(.signedOut)

        #expect(loop.account.user == nil)
        #expect(model.shown.isEmpty)
    }

    @Test("an action that no feature listens to is not reported")
    func unheard() async throws {
        let recorder = RecordingObserver()
        let store = Relux.Store(.init(observers: [recorder]))
        let loop = AccountLoop()
        loop.announceActions(to: store)

        loop.dispatch(.signedIn("ann"))

        #expect(recorder.refusals.isEmpty)
    }

    @Test("the old reducer does in the store what it did before")
    func reducer() {
        var state = AccountState()

        state.reduce(.signedIn("ann"))
        #expect(state.account.user == "ann")

        state.reduce(.signedOut)
        #expect(state == AccountState())
    }
}
