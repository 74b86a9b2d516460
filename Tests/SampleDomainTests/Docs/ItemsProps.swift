import Relux
import SampleDomain
import SampleServices

// The part that all front ends of Docs/UserInterfaces.md share. It is compiled with the tests, and type-checked
// together with the SwiftUI screen in Tests/SwiftUIStub.

// snippet
struct ItemsProps: Relux.UI.ViewProps {
    struct Row: Hashable, Sendable, Identifiable {
        let id: Item.ID
        let title: String
        let isDone: Bool
        let isUnsaved: Bool
    }

    let rows: [Row]
    let canUndo: Bool

    init(_ state: Items.State) {
        rows = state.list.all.map { item in
            Row(
                id: item.id,
                title: item.title,
                isDone: item.completed != nil,
                isUnsaved: state.isUnsaved(item.id)
            )
        }
        canUndo = state.canUndo
    }
}

struct ItemsCallbacks: Relux.UI.ViewCallbacks {
    let complete: Relux.UI.ViewCallback<Item.ID>
    let undo: Relux.UI.ViewCallback<Void>

    init(to dispatcher: Relux.Dispatcher) {
        // A refusal means that the tap came too late. The screen already shows why there is nothing to do.
        complete = .init(capturing: dispatcher) { dispatcher, id in
            _ = try? await dispatcher.perform(Items.Command.complete([.id(id)]))
        }
        undo = .init(capturing: dispatcher) { dispatcher in
            _ = try? await dispatcher.perform(Items.Command.undo)
        }
    }
}
// end
