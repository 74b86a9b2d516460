// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CatalogModels
import Relux

/// The products that are for sale, as other features see them.
public enum Catalog {
    /// Anybody may read it. Only this package changes it.
    public struct State: Relux.State {
        public typealias Action = Never

        public package(set) var products: [Product] = []

        public init() {}
    }

    /// Loads the products.
    public struct Load: Relux.Effect, Hashable {
        public init() {}
    }

    /// Keeps products for a buyer.
    public struct Reserve: Relux.Effect, Hashable {
        public typealias Output = Reservation

        public let products: [Product.ID]

        public init(_ products: [Product.ID]) { self.products = products }
    }
}

extension Catalog {
    /// The contract: what any implementation registers, and what other features require.
    public struct Module: Relux.Module {
        public let states: [any Relux.State]
        public let reducers: [Relux.Reducer]
        public let sagas: [any Relux.Saga]
        public let flows: [any Relux.Flow]

        /// For this package: the implementation, and the stand-in of its tests.
        package init(
            _ state: State = State(), reducers: [Relux.Reducer] = [], sagas: [any Relux.Saga] = [],
            flows: [any Relux.Flow] = []
        ) {
            (states, self.reducers, self.sagas, self.flows) = ([state], reducers, sagas, flows)
        }
    }
}
