import Relux

/// The first part of the code of Docs/Composition.md.
enum PagesExample {
    // Guide: A shared list
    nonisolated struct Item: Identifiable, Equatable, Sendable {
        let id: Int
        var title: String
    }

    enum Items {
        struct State: Relux.State {
            var items: Relux.Entities<Item> = [Item(id: 1, title: "Tea"), Item(id: 2, title: "Milk")]

            enum Action: Relux.Action, Equatable { case renamed(Item.ID, String), removed(Item.ID) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .renamed(let id, let title): items[id: id]?.title = title
                case .removed(let id): items.remove(id: id)
                }
            }
        }
    }
    // End

    // Guide: A page with an alert and a sheet
    enum Detail {
        struct State: Relux.State {
            var isConfirmingDeletion = false
            /// The item that the sheet edits.
            var edited: Item.ID?

            enum Action: Relux.Action, Equatable {
                case editTapped(Item.ID), deleteTapped, deletionDeclined, deletionConfirmed(Item.ID)
            }

            mutating func reduce(_ action: Action) {
                switch action {
                case .editTapped(let item): if isFree { edited = item }
                case .deleteTapped: if isFree { isConfirmingDeletion = true }
                case .deletionDeclined, .deletionConfirmed: isConfirmingDeletion = false
                }
            }

            private var isFree: Bool { edited == nil && !isConfirmingDeletion }
        }

        struct Module: Relux.Module, Identifiable {
            let id: Pages.Entry.ID
            let item: Item.ID

            var states: [any Relux.State] { [State()] }
            var rules: [Relux.Rule] {
                [
                    .init(on: State.Action.self) { action, reader in
                        guard case .deletionConfirmed(let item) = action, let page = reader.scope else { return [] }
                        return [Items.State.Action.removed(item), Relux.Dismissal(of: page)]
                    }
                ]
            }
            var children: [Relux.Children] {
                [
                    .optional(
                        of: State.self, \.edited, { item, _ in Editor.Module(id: item) },
                        onDismiss: { state, _ in state.edited = nil }
                    )
                ]
            }
        }
    }
    // End

    // Guide: A sheet that closes itself
    enum Editor {
        struct Save: Relux.Effect { let title: String }

        struct Saver: Relux.Saga {
            let item: Item.ID

            func run(_ save: Save, in context: Relux.SagaContext) async throws {
                await context.dispatch(Items.State.Action.renamed(item, save.title))
                await context.dismiss()
            }
        }

        struct Module: Relux.Module, Identifiable {
            let id: Item.ID

            var sagas: [any Relux.Saga] { [Saver(item: id)] }
        }
    }
    // End

    // Guide: A page that listens
    enum Statistics {
        struct State: Relux.State {
            typealias Action = Never
            var removals = 0
        }

        struct Module: Relux.Module, Identifiable {
            let id: Pages.Entry.ID

            var states: [any Relux.State] { [State()] }
            var reducers: [Relux.Reducer] {
                [
                    .init(of: State.self, on: Items.State.Action.self, in: .enclosing) { state, action in
                        if case .removed = action { state.removals += 1 }
                    }
                ]
            }
        }
    }
    // End

    // Guide: The pages
    nonisolated enum Page: Hashable { case detail(Item.ID), statistics }

    typealias Pages = Relux.Navigation.Stack<Page>

    struct App: Relux.Module {
        var states: [any Relux.State] { [Items.State(), Pages()] }
        var children: [Relux.Children] {
            [
                .each(of: Pages.self, \.entries) { entry, _ in
                    switch entry.page {
                    case .detail(let item): Detail.Module(id: entry.id, item: item)
                    case .statistics: Statistics.Module(id: entry.id)
                    }
                }
            ]
        }
    }
    // End

    // Guide: A rule on a change
    struct EmptyShop: Relux.Module {
        var requires: [any Relux.Module.Type] { [App.self] }
        var rules: [Relux.Rule] {
            [
                .init(onChangeOf: Items.State.self, \.items.isEmpty) { _, isEmpty, reader in
                    if isEmpty, reader[Pages.self]?.isEmpty == true { [Pages.Action.push(.statistics)] } else { [] }
                }
            ]
        }
    }
    // End

    // Guide: A rule that opens
    struct Rows: Relux.Module {
        struct Tapped: Relux.Action { let item: Item.ID }

        var requires: [any Relux.Module.Type] { [App.self] }
        var rules: [Relux.Rule] {
            [
                .init(on: Tapped.self) { tap, reader in
                    let exists = reader[Items.State.self]?.items.contains(id: tap.item) == true
                    guard exists, reader[Pages.self]?.isEmpty == true else { return [] }
                    return [Pages.Action.push(.detail(tap.item))]
                }
            ]
        }
    }
    // End
}
