import Relux

/// A number that counts the notes of another library.
public enum Counting {
    /// The number.
    public struct State: Relux.State {
        /// The number of notes.
        public private(set) var count = 0

        /// Changes of the number.
        public enum Action: Relux.Action {
            /// Another note.
            case added
        }

        /// Counts.
        public mutating func reduce(_ action: Action) { count += 1 }
    }

    /// The feature.
    public struct Module: Relux.Module {
        /// Creates the feature.
        public init() {}

        /// The number.
        public var states: [any Relux.State] { [State()] }
    }
}
