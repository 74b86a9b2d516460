// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CartInterface
import CatalogInterface
import CatalogModels
import Relux

/// Buys what is in the cart. It knows the interfaces of both domains, and no implementation.
public enum Checkout {
    public struct State: Relux.State {
        /// The product whose page is open.
        public internal(set) var openProduct: Product.ID?

        public enum Action: Relux.Action, Hashable {
            case productTapped(Product.ID)
            case pageClosed
        }

        public mutating func reduce(_ action: Action) {
            switch action {
            case .productTapped(let id): openProduct = id
            case .pageClosed: openProduct = nil
            }
        }
    }

    /// Reserves what is in the cart, and takes it out of the cart.
    public struct Submit: Relux.Effect, Hashable {
        public typealias Output = Reservation

        public init() {}
    }

    public struct Module: Relux.Module {
        private let page: @Sendable (Product.ID) -> ProductPage.Module

        /// - Parameter page: Makes the page of a product. The application passes the implementation.
        public init(page: @escaping @Sendable (Product.ID) -> ProductPage.Module) { self.page = page }

        public var states: [any Relux.State] { [State()] }
        public var requires: [any Relux.Module.Type] { [Cart.Module.self, Catalog.Module.self] }
        public var flows: [any Relux.Flow] { [Submitting()] }
        public var children: [Relux.Children] {
            [.optional(of: State.self, \.openProduct) { [page] id, _ in page(id) }]
        }
    }
}

private struct Submitting: Relux.Flow {
    func policy(for submit: Checkout.Submit) -> Relux.Policy { .leading }

    func run(_ submit: Checkout.Submit, in context: Relux.SagaContext) async throws -> Reservation {
        let lines = try await context.state(of: Cart.State.self).lines
        let products = lines.flatMap { Array(repeating: $0.id, count: $0.count) }
        let reservation = try await context.perform(Catalog.Reserve(products))
        await context.finish(with: Cart.Action.bought(lines))
        return reservation
    }
}
