public import SampleServices

extension Items.State {
    /// The items that every front end displays: those that match the filter, or all items if there is no filter.
    ///
    /// - Complexity: O(1), because the result of the filter is cached.
    public var shown: Items.List { filter.isEmpty ? list : narrowed }

    /// The selected items, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the number of items, if any is selected.
    public var selectedItems: [Item] {
        selection.isEmpty ? [] : shown.all.filter { selection.contains($0.id) }
    }

    /// Changes the list or the filter, and updates the displayed items and the selection accordingly.
    mutating func keepingShown(_ change: (inout Items.State) -> Void) {
        guard !filter.isEmpty || !selection.isBlank else {
            // Without another reference to the list, it is changed in place.
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
