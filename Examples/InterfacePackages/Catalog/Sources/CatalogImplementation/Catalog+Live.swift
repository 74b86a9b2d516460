import CatalogInterface
import CatalogModels
import CatalogService
import Relux

extension Catalog.Module {
    /// The implementation, which only the application imports.
    public static func live(_ service: any CatalogService) -> Catalog.Module {
        Catalog.Module(
            reducers: [
                Relux.Reducer(of: Catalog.State.self, on: Loaded.self) { state, loaded in
                    state.products = loaded.products
                }
            ],
            sagas: [Loader(service: service)],
            flows: [Reserving(service: service)]
        )
    }
}

/// Internal: no other feature can dispatch it.
struct Loaded: Relux.Action {
    let products: [Product]
}

private struct Loader: Relux.Saga {
    let service: any CatalogService

    func policy(for load: Catalog.Load) -> Relux.Policy { .leading }

    func run(_ load: Catalog.Load, in context: Relux.SagaContext) async throws {
        await context.dispatch(Loaded(products: try await service.products()))
    }
}

private struct Reserving: Relux.Flow {
    let service: any CatalogService

    func run(_ reserve: Catalog.Reserve, in context: Relux.SagaContext) async throws -> Reservation {
        try await service.reserve(reserve.products)
    }
}
