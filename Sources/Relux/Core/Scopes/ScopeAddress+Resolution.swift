extension ScopeAddress {
    /// The scope; nil if there is no such instance now. Called inside the store.
    ///
    /// - Complexity: O(1) if it was found before, otherwise one lookup for each scope around it.
    func resolve(from root: ScopeNode) -> ScopeNode? {
        if let node, node.isOpen { return node }
        var unknown: [ScopeAddress] = []
        var scope = root
        for address in sequence(first: self, next: \.parent) {
            if let known = address.node, known.isOpen {
                scope = known
                break
            }
            unknown.append(address)
        }
        for address in unknown.reversed() {
            address.node = scope.group(of: address.module)?.instance(address.id)
            guard let found = address.node else { return nil }
            scope = found
        }
        return scope
    }
}
