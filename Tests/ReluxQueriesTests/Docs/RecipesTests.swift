import Relux
import ReluxQueries
import ReluxTesting
import TestFixtures
import Testing

@Suite("The recipes of Docs/Queries.md", .timeLimit(.minutes(10)))
struct RecipesTests {
    private struct Kitchen: RecipeService {
        var world: Simulation.World?
        static let pancakes = Recipe(id: 1, title: "Pancakes", text: "Flour, eggs, milk")

        func recipes(matching text: String, from start: Int) async throws -> (recipes: [Recipe], next: Int?) {
            try await world?.latency(.zero ... .seconds(2))
            let ids = (start..<start + 2).map { text.count * 100 + $0 }
            let recipes = ids.map { Recipe(id: $0, title: "Recipe \($0)") }
            return (recipes, start < 4 ? start + 2 : nil)
        }

        func recipe(_ id: Int) async throws -> Recipe { Self.pancakes }

        func setFavorite(_ id: Int, _ isFavorite: Bool) async throws -> Recipe {
            var recipe = Self.pancakes
            recipe.isFavorite = isFavorite
            return recipe
        }
    }

    @Test("a tap opens a recipe, and a heart is full at once")
    func detail() async throws {
        let store = try await TestStore(exhaustivity: .off) { RecipeBook(service: Kitchen()) }
        await store.dispatch(RecipePages.Action.push(1))
        await store.receivePrefetch(Recipes.self, 1)
        await store.receiveFetched(Recipes.self, 1, Kitchen.pancakes)

        await store.dispatch(Relux.Mutate(Recipes.self, .init(isFavorite: true), of: 1))

        var favorite = Kitchen.pancakes
        favorite.isFavorite = true
        await store.receiveMutation(Recipes.self, .init(isFavorite: true), of: 1, confirmed: favorite)
        await store.skipReceived()
        await store.skipRuns()
        await store.finish()
    }

    @Test("the list is loading from its first frame on")
    func list() throws {
        let store = try Relux.Store(modules: [RecipeBook(service: Kitchen())])

        #expect(store.readNow { $0.query(RecipeList.self, "").isLoading })
    }

    @Test("the results are those of the text")
    func search() async {
        await Simulation.explore(seeds: seeds(50)) { world in
            let store = try await world.store {
                RecipeBook(service: Kitchen(world: world))
                RecipeSearchPage()
            }
            for text in ["p", "pa", "pan"] {
                await store.dispatch(RecipeSearch.Action.changed(text))
                try await world.latency(.zero ... .seconds(1))
            }
            try await world.latency(.seconds(10) ... .seconds(10))

            let results = await store.read { SearchResults($0) }
            #expect(results.titles == ["Recipe 300", "Recipe 301"])
        }
    }
}
