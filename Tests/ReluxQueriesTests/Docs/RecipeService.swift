// What the recipes' example of Docs/Queries.md finds there.

struct Recipe: Hashable, Sendable, Identifiable {
    let id: Int
    var title: String
    var text: String?
    var isFavorite = false
}

protocol RecipeService: Sendable {
    func recipes(matching text: String, from start: Int) async throws -> (recipes: [Recipe], next: Int?)
    func recipe(_ id: Int) async throws -> Recipe
    func setFavorite(_ id: Int, _ isFavorite: Bool) async throws -> Recipe
}
