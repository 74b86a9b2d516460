import CatalogModels

/// The shop's server.
public protocol CatalogService: Sendable {
    func products() async throws -> [Product]
    func reserve(_ products: [Product.ID]) async throws -> Reservation
}
