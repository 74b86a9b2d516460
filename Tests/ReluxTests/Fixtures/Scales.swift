import Relux

/// Two states that every load changes equally. A reader that sees them differ has seen half of an action.
enum Scales {
    struct Load: Relux.Action, Hashable {
        var weight = 1
    }

    struct Left: Relux.State {
        typealias Action = Load

        var weight = 0
        var loads = 0

        mutating func reduce(_ action: Load) {
            weight += action.weight
            loads += 1
        }
    }

    /// A state without actions of its own.
    struct Right: Relux.State {
        typealias Action = Never

        var weight = 0
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Left(), Right()] }
        var reducers: [Relux.Reducer] {
            [.init(of: Right.self, on: Load.self) { state, load in state.weight += load.weight }]
        }
    }

    struct Reading: Sendable, Equatable {
        var left: Int
        var right: Int

        var isBalanced: Bool { left == right }

        init(_ reader: borrowing Relux.StateReader) {
            left = reader[Left.self]?.weight ?? 0
            right = reader[Right.self]?.weight ?? 0
        }
    }
}
