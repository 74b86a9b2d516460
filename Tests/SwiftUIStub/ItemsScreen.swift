// The SwiftUI screen of Docs/UserInterfaces.md. It is type-checked against the stub, and never run.

import Relux
import SampleDomain
import SampleServices
import SwiftUI

// snippet
struct ItemsView: Relux.UI.View {
    nonisolated let props: ItemsProps
    nonisolated let callbacks: ItemsCallbacks

    var body: some SwiftUI.View {
        VStack {
            List(props.rows) { row in
                Button(row.isUnsaved ? "\(row.title) *" : row.title) { callbacks.complete.fire(row.id) }
                    .disabled(row.isDone)
            }
            Button("Undo") { callbacks.undo.fire() }
                .disabled(!props.canUndo)
        }
    }
}

struct ItemsContainer: Relux.UI.Container {
    let state: Relux.UI.ViewState<ItemsProps>
    let dispatcher: Relux.Dispatcher

    var body: some SwiftUI.View {
        ItemsView(props: state.value, callbacks: ItemsCallbacks(to: dispatcher))
            .equatable()
            .task { await actions { Items.Effect.load } }
    }
}

struct ItemsScreen: SwiftUI.View {
    let store: Relux.Store

    @SwiftUI.State private var state: Relux.UI.ViewState<ItemsProps>?
    @SwiftUI.State private var failure: Relux.StoreError?

    var body: some SwiftUI.View {
        ZStack {
            if let state {
                ItemsContainer(state: state, dispatcher: store.dispatcher)
            } else if let failure {
                Text(verbatim: "\(failure)")
            }
        }
        .task {
            do throws(Relux.StoreError) {
                state = try store.viewState(of: Items.State.self) { ItemsProps($0) }
            } catch {
                failure = error
            }
        }
    }
}

struct ItemsApplication: SwiftUI.View {
    let service: any ItemsService

    var body: some SwiftUI.View {
        resolvingStore {
            try await Relux.Store { Items.Module(service: service) }
        } content: { store in
            ItemsScreen(store: store)
        } placeholder: { error, retry in
            if let error {
                Text(verbatim: "\(error)")
                Button("Try again", action: retry)
            } else {
                ProgressView()
            }
        }
    }
}
// end
