import Relux

// The feature of the application with tabs that Docs/UserInterfaces.md names. It is run with the tests, and
// type-checked with its screen beside the stub.

enum Library {
    nonisolated enum Tab: Hashable, Sendable, CaseIterable { case books, search }

    nonisolated enum Page: Hashable, Sendable { case book(Int), note(Int) }

    typealias Tabs = Relux.Navigation.Tabs<Tab, Page>

    /// A page or a sheet of one book. Each entry of each tab has its own.
    enum BookPage {
        struct State: Relux.State {
            let book: Int
            var isRead = false

            enum Action: Relux.Action, Hashable { case read(Bool) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .read(let isRead): self.isRead = isRead
                }
            }
        }

        struct Module: Relux.Module, Identifiable {
            let id: Tabs.Entry.ID
            let book: Int

            var states: [any Relux.State] { [State(book: book)] }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Tabs(selected: .books)] }
        var children: [Relux.Children] {
            [
                .each(of: Tabs.self, \.entries) { entry, _ in
                    switch entry.page {
                    case .book(let book), .note(let book): BookPage.Module(id: entry.id, book: book)
                    }
                }
            ]
        }
    }
}
