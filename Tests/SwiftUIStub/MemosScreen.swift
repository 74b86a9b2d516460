// The SwiftUI screen of Docs/UserInterfaces.md. It is type-checked against the stub, and never run.

import Relux
import SwiftUI

struct MemosContainer: Relux.UI.Container {
    @Environment(\.reluxDispatcher) var dispatcher
    @Relux.UI.Selected({ (memos: Memos.State) in MemosProps(memos) }, otherwise: .empty) private var props
    @Relux.UI.Selected(\Memos.Pages.self, otherwise: Memos.Pages()) private var pages

    var body: some SwiftUI.View {
        let callbacks = MemosCallbacks(to: dispatcher)
        NavigationStack(path: Binding($pages.pathBinding(\.self))) {
            List {
                TextField("Search", text: Binding($props.binding(\.search, sending: Memos.State.Action.searched)))
                Toggle("Hide done", isOn: Binding($props.binding(\.hidesDone, sending: Memos.State.Action.hidDone)))
                ForEach(props.rows) { row in MemoRow(props: row, callbacks: callbacks).equatable() }
                Button("Reload", action: callbacks.reload.fire)
            }
            .navigationDestination(for: Memos.Pages.Entry.self) { entry in MemoPage(page: entry.page) }
        }
        .sheet(item: Binding($pages.modalBinding(\.self))) { entry in
            if case .editor(let id) = entry.page { TitleEditor(id: id, to: dispatcher) }
        }
        .alert(
            "It didn't work", isPresented: Binding(failure).isPresent(), presenting: props.failure,
            actions: { _ in Button("Try again", action: callbacks.reload.fire) },
            message: { failure in Text(verbatim: failure.text) }
        )
        .performing(Memos.Load())
    }

    /// Names the failure that was shown, so that a late dismissal never removes a newer one.
    private var failure: Relux.UI.ViewBinding<Memos.Failure?> {
        $props.binding(\.failure) { shown, new in
            new == nil ? shown.map { Memos.State.Action.dismissedFailure($0.id) } : nil
        }
    }
}

struct MemoRow: Relux.UI.View {
    nonisolated let props: MemosProps.Row
    nonisolated let callbacks: MemosCallbacks

    var body: some SwiftUI.View {
        HStack {
            Button(props.title) { callbacks.open.fire(props.id) }
            Button(props.isDone ? "Done" : "Complete") { withAnimation { callbacks.complete.fire(props.id) } }
                .disabled(props.isDone)
        }
    }
}

struct MemoPage: Relux.UI.Container {
    let page: Memos.Page

    @Environment(\.reluxDispatcher) var dispatcher
    @Relux.UI.Selected private var memo: Memos.Memo?

    init(page: Memos.Page) {
        self.page = page
        _memo = .init(
            { (memos: Memos.State) in if case .memo(let id) = page { memos.memos[id: id] } else { nil } },
            otherwise: nil, id: page)
    }

    var body: some SwiftUI.View {
        if let memo {
            Button(memo.title) { MemosCallbacks(to: dispatcher).edit.fire(memo.id) }
        }
    }
}

/// Edits a title, and commits it as a whole.
struct TitleEditor: Relux.UI.Container {
    let id: Memos.Memo.ID
    let dispatcher: Relux.Dispatcher

    @Relux.UI.Selected private var title: String

    init(id: Memos.Memo.ID, to dispatcher: Relux.Dispatcher) {
        (self.id, self.dispatcher) = (id, dispatcher)
        _title = .init({ (memos: Memos.State) in memos.memos[id: id]?.title ?? "" }, otherwise: "", id: id)
    }

    var body: some SwiftUI.View {
        TitleField(title: title, rename: MemosCallbacks.rename(id, to: dispatcher))
    }
}

struct TitleField: SwiftUI.View {
    let title: String

    @SwiftUI.State private var draft: Relux.UI.Draft<String>

    init(title: String, rename: Relux.UI.ViewCallback<String>) {
        self.title = title
        _draft = SwiftUI.State(initialValue: Relux.UI.Draft(title, commit: rename))
    }

    var body: some SwiftUI.View {
        VStack {
            TextField("Title", text: Bindable(draft).value)
            if let incoming = draft.incoming { Button("Take “\(incoming)”", action: draft.accept) }
            Button("Save", action: draft.commit).disabled(!draft.isEdited)
        }
        .onChange(of: title) { _, new in draft.follow(new) }
    }
}

struct MemosApplication: SwiftUI.View {
    let load: @Sendable () async throws -> [Memos.Memo]

    var body: some SwiftUI.View {
        resolvingStore {
            try await Relux.Store { Memos.Module(load: load) }
        } content: { _ in
            MemosContainer()
        } placeholder: { error, retry in
            if error == nil { ProgressView() } else { Button("Try again", action: retry) }
        }
    }
}

struct MemosPreview: SwiftUI.View {
    private let store = try? Relux.Store(modules: [Memos.Module { [Memos.Memo(id: 1, title: "Milk")] }])

    var body: some SwiftUI.View {
        MemosContainer().environment(\.reluxStore, store)
        MemoRow(
            props: .init(id: 1, title: "Milk", isDone: true), callbacks: MemosCallbacks(to: .none)
        )
    }
}
