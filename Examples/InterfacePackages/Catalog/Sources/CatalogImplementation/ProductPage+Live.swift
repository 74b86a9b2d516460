import CatalogInterface
import CatalogModels
import Relux

extension ProductPage.Module {
    /// A page that follows the catalog.
    public static func live(_ id: Product.ID) -> ProductPage.Module {
        ProductPage.Module(
            id: id,
            watchers: [Following(id: id)],
            reducers: [
                Relux.Reducer(of: ProductPage.State.self, on: Found.self) { state, found in
                    state.product = found.product
                }
            ]
        )
    }
}

private struct Found: Relux.Action {
    let product: Product?
}

private struct Following: Relux.Watcher {
    let id: Product.ID

    func watch(in context: Relux.SagaContext) async throws {
        for await product in context.values(of: Catalog.State.self, { [id] in $0.products.first { $0.id == id } }) {
            await context.dispatch(Found(product: product))
        }
    }
}
