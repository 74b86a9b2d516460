import Relux

/// The open pages.
struct Pages: Relux.State {
    var open: [String] = []

    enum Action: Relux.Action, Hashable { case open(String), close(String), set([String]) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .open(let id): open.append(id)
        case .close(let id): open.removeAll { $0 == id }
        case .set(let ids): open = ids
        }
    }

    /// Shows a page for each open id.
    struct Module: Relux.Module {
        var open: [String] = []
        var rules: [Relux.Rule] = []
        var sagas: [any Relux.Saga] = []
        var dependencies: [any Relux.Module] = []
        let page: @Sendable (String) -> any Relux.Module & Identifiable<String>

        var states: [any Relux.State] { [Pages(open: open)] }
        var children: [Relux.Children] { [.each(of: Pages.self, \.open) { id, _ in page(id) }] }
    }
}
