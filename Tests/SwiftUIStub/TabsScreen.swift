// The application with tabs of Docs/UserInterfaces.md. It is type-checked against the stub, and never run.

import Relux
import SwiftUI

struct LibraryContainer: Relux.UI.Container {
    @Environment(\.reluxDispatcher) var dispatcher
    @Environment(\.reluxStore) private var store
    @Relux.UI.Selected(\Library.Tabs.self, otherwise: Library.Tabs(selected: .books)) private var tabs

    var body: some SwiftUI.View {
        TabView(selection: Binding($tabs.binding(\.selected, sending: Library.Tabs.Action.select))) {
            ForEach(Library.Tab.allCases, id: \.self) { tab in
                NavigationStack(path: Binding($tabs.pathBinding(of: tab))) {
                    Button("Book 1") { dispatcher.dispatchNow(Library.Tabs.Action.in(tab, .push(.book(1)))) }
                        .navigationDestination(for: Library.Tabs.Entry.self) { entry in page(entry) }
                }
                .sheet(item: Binding($tabs.modalBinding(of: tab))) { entry in page(entry) }
                .tabItem { Text(verbatim: tab == .books ? "Books" : "Search") }
                .tag(tab)
            }
        }
    }

    private func page(_ entry: Library.Tabs.Entry) -> some SwiftUI.View {
        BookContainer()
            .environment(\.reluxScope, store?.scope(of: Library.BookPage.Module.self, id: entry.id))
    }
}

/// One page or sheet. Its dispatcher is that of its instance, from which the actions of the tabs reach the root.
struct BookContainer: Relux.UI.Container {
    @Environment(\.reluxDispatcher) var dispatcher
    @Environment(\.reluxScope) private var scope
    @Relux.UI.Selected(\Library.BookPage.State.self, otherwise: .init(book: 0)) private var page

    var body: some SwiftUI.View {
        let isRead = $page.binding(\.isRead) { _, isRead in Library.BookPage.State.Action.read(isRead) }
        Toggle("Read", isOn: Binding(isRead))
        Button("Note") { dispatcher.dispatchNow(Library.Tabs.Action.inSelected(.present(.note(page.book)))) }
        if let scope { Button("Close") { dispatcher.dispatchNow(Relux.Dismissal(of: scope)) } }
    }
}
