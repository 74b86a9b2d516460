import Relux

/// The small state that most workloads change.
public struct Counter: Relux.State {
    /// The current count.
    public private(set) var count = 0

    /// The actions that change the count.
    public enum Action: Relux.Action {
        /// Adds an amount.
        case add(Int)
        /// Subtracts an amount.
        case subtract(Int)
        /// Resets the count to zero.
        case clear
    }

    /// Creates a counter, at zero by default.
    public init(_ count: Int = 0) { self.count = count }

    /// Applies an action.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .add(let amount): count &+= amount
        case .subtract(let amount): count &-= amount
        case .clear: count = 0
        }
    }
}
