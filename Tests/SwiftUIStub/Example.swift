// A feature under a container with its view, as an app writes it. It is type-checked against the stub, and never run.

import Relux
import SwiftUI

struct CounterState: Relux.State {
    var count = 0

    enum Action: Relux.Action, Hashable { case incremented, reset(to: Int) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .incremented: count += 1
        case .reset(let value): count = value
        }
    }
}

struct CounterProps: Relux.UI.ViewProps {
    let count: Int
}

struct CounterCallbacks: Relux.UI.ViewCallbacks {
    let increment: Relux.UI.ViewCallback<Void>
    let reset: Relux.UI.ViewCallback<Int>
}

struct CounterView: Relux.UI.View {
    nonisolated let props: CounterProps
    nonisolated let callbacks: CounterCallbacks

    var body: some SwiftUI.View { EmptyView() }
}

struct CounterContainer: Relux.UI.Container {
    let state: Relux.UI.ViewState<CounterState>
    let dispatcher: Relux.Dispatcher

    var body: some SwiftUI.View {
        CounterView(
            props: CounterProps(count: state.value.count),
            callbacks: CounterCallbacks(
                increment: .init(sending: CounterState.Action.incremented, to: dispatcher),
                reset: .init(capturing: dispatcher) { dispatcher, value in
                    await dispatcher.dispatch(CounterState.Action.reset(to: value))
                }
            )
        )
    }

    func start() async {
        await actions {
            CounterState.Action.reset(to: 0)
            if state.value.count > 9 { CounterState.Action.incremented }
        }
    }
}

struct CounterScreen: SwiftUI.View {
    let store: Relux.Store

    var body: some SwiftUI.View { EmptyView() }
}

struct Application: SwiftUI.View {
    @SwiftUI.State private var attempts = 0

    var body: some SwiftUI.View {
        resolvingStore {
            Relux.Store()
        } content: { store in
            CounterScreen(store: store)
        } placeholder: { error, retry in
            if let error {
                VStack {
                    Text(verbatim: "\(error), attempt \(attempts)")
                    Button("Try again") {
                        attempts += 1
                        retry()
                    }
                    Button("Try again quietly", action: retry)
                }
            }
        }
    }
}
