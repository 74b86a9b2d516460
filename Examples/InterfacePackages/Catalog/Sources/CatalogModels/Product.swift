// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

/// Something that can be bought.
public struct Product: Identifiable, Hashable, Sendable {
    public let id: Int
    public let title: String

    public init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}

/// Products that are kept for a buyer.
public struct Reservation: Identifiable, Hashable, Sendable {
    public let id: String

    public init(id: String) { self.id = id }
}
