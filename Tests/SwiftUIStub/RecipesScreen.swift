// The screen of Docs/Queries.md. It is type-checked against the stub, and never run.
import Relux
import ReluxQueries
import SwiftUI

struct RecipeListView: Relux.UI.Container {
    @Environment(\.reluxDispatcher) var dispatcher
    @Relux.UI.Selected(reading: { $0.query(RecipeList.self, "") }, otherwise: .init()) private var list
    @Relux.UI.Selected(\RecipePages.self, otherwise: RecipePages()) private var pages

    var body: some SwiftUI.View {
        NavigationStack(path: Binding($pages.pathBinding(\.self))) {
            List {
                ForEach(list.value?.elements ?? []) { row in RecipeRow(id: row.id) }
                if list.moreFailure != nil {
                    Button("Try again") { dispatcher.dispatchNow(Relux.FetchMore(RecipeList.self, "")) }
                } else if list.isLoading || list.value?.hasMore == true {
                    // One for each page, so that it appears again if a page leaves room for the next one.
                    ProgressView().id(list.value?.elements.count)
                        .onAppear { dispatcher.dispatchNow(Relux.FetchMore(RecipeList.self, "")) }
                }
                if let failure = list.moreFailure ?? list.failure { Text(verbatim: "\(failure)") }
            }
            .refreshable { _ = try? await dispatcher.perform(Relux.Fetch(RecipeList.self, "", .anew)) }
            .navigationDestination(for: RecipePages.Entry.self) { entry in RecipeRow(id: entry.page) }
        }
    }
}

struct RecipeRow: Relux.UI.Container {
    @Environment(\.reluxDispatcher) var dispatcher
    @Relux.UI.Selected private var recipe: Recipe?
    let id: Int

    init(id: Int) {
        self.id = id
        _recipe = .init(reading: { $0.query(Recipes.self, id).value }, otherwise: nil, id: id)
    }

    var body: some SwiftUI.View {
        Button(recipe?.title ?? "") { dispatcher.dispatchNow(RecipePages.Action.push(id)) }
        Button(recipe?.isFavorite == true ? "♥" : "♡") {
            let isOn = recipe?.isFavorite != true
            dispatcher.dispatchNow(Relux.Mutate(Recipes.self, .init(isFavorite: isOn), of: id))
        }
    }
}
