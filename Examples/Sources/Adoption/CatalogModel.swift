import Observation
import Relux

struct Recipe: Identifiable, Hashable, Sendable {
    let id: Int
    let title: String
}

/// The model of a screen, as the app has had it for years. Only what concerns favorites is new.
@MainActor @Observable
final class CatalogModel {
    var recipes: [Recipe] = []
    var showsFavorites = false

    private let favorites: Relux.UI.ViewState<Favorites.State>
    private let dispatcher: Relux.Dispatcher

    init(store: Relux.Store) throws {
        favorites = try store.viewState(of: Favorites.State.self)
        dispatcher = store.dispatcher
    }

    /// A view that reads this is told of changes of the model and of the store alike.
    var shown: [Recipe] {
        showsFavorites ? recipes.filter { favorites.value.recipes.contains($0.id) } : recipes
    }

    /// `shown` has changed when this returns, as callers of a model expect.
    func toggleFavorite(_ id: Recipe.ID) {
        typealias Action = Favorites.State.Action
        dispatcher.dispatchNow(favorites.value.recipes.contains(id) ? Action.removed(id) : Action.added(id))
    }
}
