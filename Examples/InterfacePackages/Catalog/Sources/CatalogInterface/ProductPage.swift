// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CatalogModels
import Relux

/// The page of one product, which any feature may open as a child.
public enum ProductPage {
    public struct State: Relux.State {
        public typealias Action = Never

        public package(set) var product: Product?

        public init() {}
    }

    /// The contract of an instance. A view that sees only the interface finds it by `scope(of: ProductPage.Module.self,
    /// id: 7)`.
    public struct Module: Relux.Module, Identifiable {
        public let id: Product.ID
        public let watchers: [any Relux.Watcher]
        public let reducers: [Relux.Reducer]

        public var states: [any Relux.State] { [State()] }

        package init(id: Product.ID, watchers: [any Relux.Watcher] = [], reducers: [Relux.Reducer] = []) {
            (self.id, self.watchers, self.reducers) = (id, watchers, reducers)
        }
    }
}
