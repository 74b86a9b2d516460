import Relux

/// The new feature, written as in any other app. It knows nothing of the code that it was added to.
enum Favorites {
    struct State: Relux.State, Hashable {
        var recipes: Set<Recipe.ID> = []

        enum Action: Relux.Action, Hashable { case added(Recipe.ID), removed(Recipe.ID) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let id): recipes.insert(id)
            case .removed(let id): recipes.remove(id)
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: AccountAction.self) { state, action in
                    if action == .signedOut { state = State() }
                }
            ]
        }
    }
}
