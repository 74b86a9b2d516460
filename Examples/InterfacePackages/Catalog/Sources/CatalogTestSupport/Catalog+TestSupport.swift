// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CatalogInterface
import CatalogModels
import CatalogService
import Relux

extension Product {
    public static let tea = Product(id: 1, title: "Tea")
    public static let milk = Product(id: 2, title: "Milk")
}

extension Catalog.Module {
    /// The contract with fixed products. It takes no effect: tests add a `StandIn` for those that they need.
    public static func fixed(_ products: [Product] = [.tea, .milk]) -> Catalog.Module {
        var state = Catalog.State()
        state.products = products
        return Catalog.Module(state)
    }
}

extension ProductPage.Module {
    /// The contract of a page that shows nothing.
    public static func empty(_ id: Product.ID) -> ProductPage.Module { ProductPage.Module(id: id) }
}

/// A server with two products, which reserves everything.
public struct SampleCatalogService: CatalogService {
    public init() {}

    public func products() async throws -> [Product] { [.tea, .milk] }

    public func reserve(_ products: [Product.ID]) async throws -> Reservation {
        Reservation(id: products.map(String.init).joined(separator: "+"))
    }
}
