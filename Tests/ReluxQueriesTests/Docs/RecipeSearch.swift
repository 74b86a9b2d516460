import Relux
import ReluxQueries

struct RecipeSearch: Relux.State {
    var text = ""

    enum Action: Relux.Action { case changed(String) }

    mutating func reduce(_ action: Action) { if case .changed(let text) = action { self.text = text } }
}

struct RecipeSearchPage: Relux.Module {
    var states: [any Relux.State] { [RecipeSearch()] }
    var watchers: [any Relux.Watcher] {
        [
            Relux.Using(RecipeList.self) { reader in
                let text = reader[RecipeSearch.self]?.text ?? ""
                return text.isEmpty ? [] : [text]
            }
        ]
    }
}

struct SearchResults: Equatable, Sendable {
    var titles: [String] = []
    var isLoading = false

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        let list = reader.query(RecipeList.self, reader[RecipeSearch.self]?.text ?? "")
        for row in list.value?.elements ?? [] {
            if let recipe = reader.query(Recipes.self, row.id).value { titles.append(recipe.title) }
        }
        isLoading = list.isLoading
    }
}
