// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// An example: its names say what its comments would.

import CartModels
import Relux

/// What somebody is about to buy, as other features see it.
public enum Cart {
    /// Anybody may read it. Only this package changes it.
    public struct State: Relux.State {
        public typealias Action = Never

        public package(set) var lines: [Line] = []

        public init() {}
    }

    /// What other features may ask of the cart. Its implementation decides what becomes of it.
    public enum Action: Relux.Action, Hashable {
        case added(Line.ID)
        /// These were bought. What was added in the meantime stays.
        case bought([Line])
    }

    /// Brings back the cart of the last visit.
    public struct Restore: Relux.Effect, Hashable {
        public init() {}
    }

    /// The contract: what any implementation registers, and what other features require.
    public struct Module: Relux.Module {
        public let states: [any Relux.State]
        public let reducers: [Relux.Reducer]
        public let sagas: [any Relux.Saga]

        package init(
            _ state: State = State(), reducers: [Relux.Reducer] = [], sagas: [any Relux.Saga] = []
        ) {
            (states, self.reducers, self.sagas) = ([state], reducers, sagas)
        }
    }
}
