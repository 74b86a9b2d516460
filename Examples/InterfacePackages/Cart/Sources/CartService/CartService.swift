import CartModels

/// Where the cart is kept between visits.
public protocol CartService: Sendable {
    func lines() async throws -> [Line]
}
