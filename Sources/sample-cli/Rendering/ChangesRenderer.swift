import SampleDomain
import SampleServices

/// Renders changes for people, one per line. Problems aren't included, because they go to standard error.
struct ChangesRenderer {
    private let shortIDs: Items.ShortIDs
    private let style: Style
    private let presenter: Users.Presenter

    /// - Parameters:
    ///   - list: The list after the changes.
    ///   - changes: All changes to render. Deleted items need short ids too.
    ///   - presenter: Creates the texts about users.
    init(list: Items.List, changes: [Application.Change], style: Style, presenter: Users.Presenter) {
        let gone = changes.compactMap { change -> Item? in
            if case .items(.deleted(let item)) = change, list[item.id] == nil { item } else { nil }
        }
        shortIDs = Items.ShortIDs(of: list.all + gone)
        (self.style, self.presenter) = (style, presenter)
    }

    /// The line for a change. Problems have none.
    func lines(of change: Application.Change) -> [String] {
        switch change {
        case .entered(let entrance): [style(.title, Texts.describe(entrance).visible)]
        case .items(let change): [line(of: change)]
        case .settings(let setting): [Texts.describe(setting).visible]
        case .users(let change): presenter.lines(of: change).map(\.visible)
        case .damaged, .mended: []
        }
    }

    private func line(of change: Items.Change) -> String {
        let item = change.item
        let title = item.title.visible
        let remark = Texts.remark(on: change).map { "  " + $0.visible } ?? ""
        return Texts.word(for: change).padded(to: Texts.longestWord) + "  " + style(.id, shortIDs[item.id]) + "  "
            + (item.completed == nil ? title : style(.completed, title)) + remark
    }
}
