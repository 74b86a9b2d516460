extension Filter.Query {
    /// What it leaves of a list.
    ///
    /// - Parameter list: The list.
    /// - Returns: The items that it finds, in the order of the list.
    /// - Complexity: O(*n*) in the number of items; O(1) where it finds everything.
    public func narrowed(_ list: Items.List) -> Items.List {
        isEmpty ? list : Items.List(list.all.filter { finds($0.title) })
    }
}
