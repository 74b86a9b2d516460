import Foundation
import SampleDomain
import SampleServices

/// Items in JSON, for scripts. Their format is part of the program's contract: see ``Texts/jsonNote``.
struct ItemsJSON: JSONLine {
    /// What happened to the items.
    enum Outcome: String, Encodable {
        case listed, added, changed, deleted, undone, redone
    }

    private let outcome: Outcome
    private let items: [Row]

    /// The whole list.
    init(list: Items.List) {
        self.init(.listed, list.all, in: list)
    }

    /// The result of a command, or nil if there is nothing to report.
    init?(_ outcome: Items.Outcome, in list: Items.List) {
        switch outcome {
        case .added(let item): self.init(.added, [item], in: list)
        case .changed(let items): self.init(.changed, items, in: list)
        case .deleted(let items): self.init(.deleted, items, in: list)
        case .undone(let reversal): self.init(.undone, reversal.items, in: list)
        case .redone(let reversal): self.init(.redone, reversal.items, in: list)
        case .drafted, .dropped: return nil
        }
    }

    private init(_ outcome: Outcome, _ items: [Item], in list: Items.List) {
        let all = list.all
        let shortIDs = Items.ShortIDs(of: all + items.missing(from: all))
        let positions = Dictionary(zip(list.active.map(\.id), 1...)) { first, _ in first }
        self.outcome = outcome
        self.items = items.map { Row(item: $0, shortID: shortIDs[$0.id], position: positions[$0.id]) }
    }

    private struct Row: Encodable {
        let item: Item
        let shortID: String
        let position: Int?

        enum CodingKeys: String, CodingKey {
            case id, shortID, title, position, order, created, updated, completed
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(item.id.uuidString.lowercased(), forKey: .id)
            try container.encode(shortID, forKey: .shortID)
            try container.encode(item.title, forKey: .title)
            // Nil values are encoded as null, so that every object has the same keys.
            try container.encode(position, forKey: .position)
            try container.encode(item.order, forKey: .order)
            try container.encode(item.created.json, forKey: .created)
            try container.encode(item.updated.json, forKey: .updated)
            try container.encode(item.completed?.json, forKey: .completed)
        }
    }
}
