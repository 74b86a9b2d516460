extension ScopeAddress {
    /// The scope; nil if there is no such instance now. Called inside the store.
    ///
    /// - Complexity: O(1) if it was found before, otherwise one lookup for each scope around it.
    func resolve(from root: ScopeNode) -> ScopeNode? {
        if let node, node.isOpen { return node }
        var scope = root
        for address in path {
            if address.node?.isOpen != true { address.node = scope.group(of: address.module)?.instance(address.id) }
            guard let found = address.node else { return nil }
            scope = found
        }
        return scope
    }
}
