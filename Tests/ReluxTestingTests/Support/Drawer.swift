import Relux

/// A drawer that opens slips. A rule writes on each in the step that opens it.
enum Drawer {
    struct State: Relux.State {
        enum Action: Relux.Action, Hashable { case open(Int) }

        var open: Int?

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let id): open = id
            }
        }
    }

    struct Slip: Relux.State {
        enum Action: Relux.Action, Hashable { case write(String) }

        var text = "blank"

        mutating func reduce(_ action: Action) {
            switch action {
            case .write(let text): self.text = text
            }
        }
    }

    struct SlipModule: Relux.Module, Identifiable {
        let id: Int
        var states: [any Relux.State] { [Slip()] }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.optional(of: State.self, \.open) { id, _ in SlipModule(id: id) }] }
        var rules: [Relux.Rule] {
            [
                .init(on: State.Action.self) { action, _ in
                    switch action {
                    case .open(let id): [Relux.ChildAction<SlipModule, Slip.Action>(id: id, .write("new"))]
                    }
                }
            ]
        }
    }
}
