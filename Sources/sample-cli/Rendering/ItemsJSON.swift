import Foundation
import SampleDomain
import SampleServices

/// Items, as Docs/Sample.md describes them.
struct ItemsJSON: JSONLine {
    private struct Row: Encodable {
        let id: String
        let shortID: String
        let title: String
        @OrNull var position: Int?
        let order: Int
        let created: Date
        let updated: Date
        @OrNull var completed: Date?
    }

    private let outcome: String
    private let items: [Row]

    init(list: Items.List) {
        self.init("listed", list.all, in: list)
    }

    /// The result of a command, or nil if there is nothing to report.
    init?(_ outcome: Items.Outcome, in list: Items.List) {
        switch outcome {
        case .added(let item): self.init("added", [item], in: list)
        case .changed(let items): self.init("changed", items, in: list)
        case .deleted(let items): self.init("deleted", items, in: list)
        case .undone(let reversal): self.init("undone", reversal.items, in: list)
        case .redone(let reversal): self.init("redone", reversal.items, in: list)
        case .drafted, .dropped: return nil
        }
    }

    private init(_ outcome: String, _ items: [Item], in list: Items.List) {
        let all = list.all
        let shortIDs = Items.ShortIDs(of: all + items.missing(from: all))
        let positions = Dictionary(zip(list.active.map(\.id), 1...)) { first, _ in first }
        self.outcome = outcome
        self.items = items.map { item in
            Row(
                id: item.id.uuidString.lowercased(), shortID: shortIDs[item.id], title: item.title,
                position: positions[item.id], order: item.order, created: item.created, updated: item.updated,
                completed: item.completed)
        }
    }
}

/// The result of an import, as Docs/Sample.md describes it.
struct ImportJSON: JSONLine {
    private var outcome = "imported"
    private let added: Int
    private let blank: Int

    init(_ progress: Items.ImportProgress) {
        (added, blank) = (progress.saved, progress.blank)
    }
}
