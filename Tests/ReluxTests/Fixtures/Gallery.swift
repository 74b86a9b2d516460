import Relux

/// A list of items, the pages that are open for them, and what a page hears: a feature made of several states.
enum Gallery {
    struct Items: Relux.State {
        var all: [Int] = [1, 2, 3]

        enum Action: Relux.Action, Hashable { case add(Int), remove(Int) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .add(let item): all.append(item)
            case .remove(let item): all.removeAll { $0 == item }
            }
        }
    }

    struct Pages: Relux.State {
        var open: [Int] = []
        var help: String?

        enum Action: Relux.Action, Hashable { case open(Int), close(Int), showHelp(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let page): open.append(page)
            case .close(let page): open.removeAll { $0 == page }
            case .showHelp(let topic): help = topic
            }
        }
    }

    /// What nobody but listeners and rules takes.
    struct Confirmed: Relux.Action, Hashable { let item: Int }

    struct Module: Relux.Module {
        var rules: [Relux.Rule] = []
        var sagas: [any Relux.Saga] = []
        var page: @Sendable (Int) -> any Relux.Module & Identifiable<Int> = { Page(id: $0) }
        var isDismissible = true

        var states: [any Relux.State] { [Items(), Pages()] }
        var children: [Relux.Children] {
            let close: @Sendable (inout Pages, Int) -> Void = { state, id in state.open.removeAll { $0 == id } }
            return [
                .each(of: Pages.self, \.open, { id, _ in page(id) }, onDismiss: isDismissible ? close : nil),
                .optional(
                    of: Pages.self, \.help, { id, _ in Help(id: id) }, onDismiss: { state, _ in state.help = nil }),
            ]
        }
    }

    /// A page of one kind.
    struct Page: Relux.Module, Identifiable {
        struct State: Relux.State {
            var heard: [String] = []

            enum Action: Relux.Action, Hashable { case note(String) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .note(let text): heard.append(text)
                }
            }
        }

        let id: Int
        var reducers: [Relux.Reducer] = []
        var rules: [Relux.Rule] = []
        var sagas: [any Relux.Saga] = []
        var flows: [any Relux.Flow] = []
        var dependencies: [any Relux.Module] = []

        var states: [any Relux.State] { [State()] }
    }

    /// A page of another kind.
    struct Help: Relux.Module, Identifiable {
        struct State: Relux.State {
            typealias Action = Never
            var text = "help"
        }

        let id: String
        var states: [any Relux.State] { [State()] }
    }

    /// A page of another kind whose ids are those of the first.
    struct Picture: Relux.Module, Identifiable { let id: Int }
}
