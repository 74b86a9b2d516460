import Relux
import ReluxQueries

struct Recipes: Relux.Query {
    struct Mutation: Relux.Mutation, Equatable {
        let isFavorite: Bool
        func apply(to recipe: inout Recipe) { recipe.isFavorite = isFavorite }
    }

    let service: any RecipeService
    let staleAfter = Duration.seconds(60)
    static var mutationOrder: Relux.MutationOrder { .newest }

    func fetch(_ id: Int, in request: Relux.QueryRequest) async throws -> Recipe { try await service.recipe(id) }
    func send(_ mutation: Mutation, to id: Int, in context: Relux.SagaContext) async throws -> Recipe? {
        try await service.setFavorite(id, mutation.isFavorite)
    }
    static func merge(_ provided: Recipe, into present: Recipe) -> Recipe {
        var recipe = provided
        recipe.text = recipe.text ?? present.text  // The rows of a list have no texts.
        return recipe
    }
}

struct RecipeList: Relux.PagedQuery {
    struct Row: Identifiable, Hashable, Sendable { let id: Int }

    let service: any RecipeService
    static var provides: [any Relux.Query.Type] { [Recipes.self] }

    func fetchPage(
        of text: String, at cursor: Int?, in request: Relux.QueryRequest
    ) async throws -> Relux.Pages<Row, Int> {
        let list = try await service.recipes(matching: text, from: cursor ?? 0)
        request.provide(Recipes.self, list.recipes.map { ($0.id, $0) })
        return .init(list.recipes.map { Row(id: $0.id) }, next: list.next)
    }
}

typealias RecipePages = Relux.Navigation.Stack<Int>

struct RecipeDetail: Relux.Module, Identifiable {
    let id: RecipePages.Entry.ID
    let recipe: Int

    var watchers: [any Relux.Watcher] { [Relux.Using(Recipes.self, recipe)] }
    var openingActions: [any Relux.Action] { [Relux.Prefetch(Recipes.self, recipe)] }
}

struct RecipeBook: Relux.Module {
    let service: any RecipeService

    var states: [any Relux.State] { [RecipePages()] }
    var dependencies: [any Relux.Module] {
        [Relux.Queries(Recipes(service: service)), Relux.Queries(RecipeList(service: service))]
    }
    var children: [Relux.Children] {
        [.each(of: RecipePages.self, \.entries) { entry, _ in RecipeDetail(id: entry.id, recipe: entry.page) }]
    }
    var openingActions: [any Relux.Action] { [Relux.Prefetch(RecipeList.self, "")] }
    var watchers: [any Relux.Watcher] {
        [
            Relux.Using(RecipeList.self, ""),
            Relux.Using(Recipes.self, fetching: false) { $0.query(RecipeList.self, "").value?.elements.ids ?? [] },
        ]
    }
}
