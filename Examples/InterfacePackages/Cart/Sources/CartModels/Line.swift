// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

/// A line of a cart: a product by its id, because the cart doesn't know the catalog.
public struct Line: Identifiable, Hashable, Sendable {
    public let id: Int
    public var count: Int

    public init(id: Int, count: Int = 1) { (self.id, self.count) = (id, count) }
}
