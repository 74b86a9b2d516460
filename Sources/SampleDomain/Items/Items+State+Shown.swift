import Foundation
public import SampleServices

extension Items.State {
    /// The items that are shown: those whose titles have the filter in them, whatever its case and accents, or all
    /// where there is none. Active ones first, each part in its order.
    ///
    /// - Complexity: O(*n*) in the number of items.
    public var shown: [Item] {
        let text = filter.titleTrimmed
        if text.isEmpty { return list.all }
        return list.all.filter { $0.title.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
    }

    /// The items that are selected, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the number of items, if any is selected.
    public var selectedItems: [Item] {
        selection.isEmpty ? [] : list.all.filter { selection.contains($0.id) }
    }

    /// Does something to the list, and lets the selection follow it.
    mutating func keepingSelection(_ change: (inout Items.State) -> Void) {
        guard !selection.isBlank else { return change(&self) }
        let former = self
        change(&self)
        guard former.list != list || former.filter != filter else { return }
        selection.follow(from: former.shown.map(\.id), to: shown.map(\.id))
    }
}
