import Foundation
import SampleDomain
import SampleServices

/// Renders the list for people.
struct ItemsRenderer {
    /// The maximum number of items of one kind in the result of a command.
    static let longest = 20

    let list: Items.List
    let style: Style

    /// The lines of the whole list. There are none if the list is empty.
    var lines: [String] {
        var lines: [String] = []
        let shortIDs = Items.ShortIDs(of: list.all)
        let width = list.all.map { shortIDs[$0.id].columns }.max() ?? 0
        if !list.active.isEmpty {
            lines.append(style(.title, Texts.toDo(list.active.count)))
            let digits = String(list.active.count).count
            for (position, item) in zip(1..., list.active) {
                let number = String(position)
                let indent = String(repeating: " ", count: digits - number.count + 2)
                lines.append(indent + number + "  " + row(item, shortIDs, width: width))
            }
        }
        if !list.completed.isEmpty {
            lines.append(style(.title, Texts.done(list.completed.count)))
            for item in list.completed {
                let date = item.completed.map(Texts.day) ?? ""
                lines.append("  ✓  " + row(item, shortIDs, width: width) + "  " + style(.completed, date))
            }
        }
        return lines
    }

    /// The lines of a command's result, one per item, each with what has happened to it.
    func lines(of outcome: Items.Outcome, after command: Items.Command) -> [String] {
        switch outcome {
        case .added(let item): rows(Texts.added, [item])
        case .changed(let items): rows(Texts.word(for: command), items)
        case .deleted(let items): rows(Texts.deleted, items)
        case .undone(let reversal), .redone(let reversal):
            rows(Texts.completed, reversal.done) + rows(Texts.reopened, reversal.reopened)
                + rows(Texts.renamed, reversal.renamed) + rows(Texts.moved, reversal.moved)
                + rows(Texts.restored, reversal.restored) + rows(Texts.removed, reversal.removed)
        case .drafted, .dropped: []
        }
    }

    private func rows(_ word: String, _ items: [Item]) -> [String] {
        guard !items.isEmpty else { return [] }
        let all = list.all
        let shortIDs = Items.ShortIDs(of: all + items.missing(from: all))
        let lines = items.prefix(Self.longest).map { "\(word)  \(row($0, shortIDs))" }
        return items.count > Self.longest ? lines + ["\(word)  \(Texts.more(items.count - Self.longest))"] : lines
    }

    private func row(_ item: Item, _ shortIDs: Items.ShortIDs, width: Int = 0) -> String {
        let title = item.title.visible
        return style(.id, shortIDs[item.id].padded(to: width)) + "  "
            + (item.completed == nil ? title : style(.completed, title))
    }
}

extension [Item] {
    /// The items whose ids don't occur among others.
    func missing(from others: [Item]) -> [Item] {
        let present = Set(others.map(\.id))
        return filter { !present.contains($0.id) }
    }
}
