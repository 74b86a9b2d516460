import Relux

/// The sessions that are open. Each has a basket.
enum Sessions {
    struct State: Relux.State, Hashable {
        var open: Set<String> = []

        enum Action: Relux.Action, Hashable { case opened(String), closed(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .opened(let id): open.insert(id)
            case .closed(let id): open.remove(id)
            }
        }
    }

    struct Module: Relux.Module {
        let shop: any Shop

        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] {
            [
                .each(
                    of: State.self, \.open,
                    { id, _ in Basket.Module(id: id, shop: shop) },
                    onDismiss: { state, id in state.open.remove(id) }
                )
            ]
        }
    }
}
