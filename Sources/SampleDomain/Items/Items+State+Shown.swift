public import SampleServices

extension Items.State {
    /// The items that are shown, by every front end: those that the filter finds, or all where there is none.
    ///
    /// - Complexity: O(1): what the filter finds is known already.
    public var shown: Items.List { filter.isEmpty ? list : narrowed }

    /// The items that are selected, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the number of items, if any is selected.
    public var selectedItems: [Item] {
        selection.isEmpty ? [] : shown.all.filter { selection.contains($0.id) }
    }

    /// Does something to the list or the filter, and lets what is shown and the selection follow it.
    mutating func keepingShown(_ change: (inout Items.State) -> Void) {
        guard !filter.isEmpty || !selection.isBlank else {
            // Nothing is kept of the list, so it is changed in place.
            change(&self)
            narrowed = filter.isEmpty ? Items.List() : filter.narrowed(list)
            return
        }
        let (former, formerFilter, formerlyShown) = (list, filter, shown)
        change(&self)
        guard former != list || formerFilter != filter else { return }
        narrowed = filter.isEmpty ? Items.List() : filter.narrowed(list)
        if !selection.isBlank { selection.follow(from: formerlyShown.ids, to: shown.ids) }
    }
}
