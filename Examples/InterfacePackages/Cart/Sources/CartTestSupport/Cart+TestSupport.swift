// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CartInterface
import CartModels
import CartService
import Relux

extension Cart.Module {
    /// The contract with fixed lines. It takes the cart's actions, so that a test can receive them, and stays as it is.
    public static func fixed(_ lines: [Line] = []) -> Cart.Module {
        var state = Cart.State()
        state.lines = lines
        return Cart.Module(state, reducers: [Relux.Reducer(of: Cart.State.self, on: Cart.Action.self) { _, _ in }])
    }
}

/// A service with the lines of a test.
public struct SampleCartService: CartService {
    private let kept: [Line]

    public init(_ lines: [Line] = []) { kept = lines }

    public func lines() async throws -> [Line] { kept }
}
