import Relux

/// The small state that most workloads change.
public struct Counter: Relux.State {
    /// How far it has counted.
    public private(set) var count = 0

    /// What changes it.
    public enum Action: Relux.Action {
        /// Counts on.
        case add(Int)
        /// Counts back.
        case subtract(Int)
        /// Begins anew.
        case clear
    }

    /// Makes one at zero.
    public init() {}

    /// Applies an action.
    ///
    /// - Parameter action: What happened.
    public mutating func reduce(_ action: Action) {
        switch action {
        case .add(let amount): count &+= amount
        case .subtract(let amount): count &-= amount
        case .clear: count = 0
        }
    }
}
