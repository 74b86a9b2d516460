/// Whether a module is still needed.
extension ModuleRegistration {
    /// Whether anything keeps the module that wouldn't go with it.
    var isNeeded: Bool {
        guard owners == 0, holds.isEmpty else { return true }
        return !dependents.isEmpty && !isNeededOnly(by: goingAlong)
    }

    /// What goes with the module: everything in its instance, and the children of its states, if nothing else keeps
    /// them.
    ///
    /// - Complexity: O(n · d) in their number and the depth to which children have children, apart from children that
    ///   something else keeps.
    private var goingAlong: [ObjectIdentifier: ModuleRegistration] {
        var kept: Set<ObjectIdentifier> = []
        while true {
            let going = goingAlong(sparing: kept)
            // A child that a module outside needs stays, and so does what it needs.
            let needed = going.filter { $0.value.isChild && !$0.value.isNeededOnly(by: going) }.keys
            if kept.isSuperset(of: needed) { return going }
            kept.formUnion(needed)
        }
    }

    private func goingAlong(sparing kept: Set<ObjectIdentifier>) -> [ObjectIdentifier: ModuleRegistration] {
        var going: [ObjectIdentifier: ModuleRegistration] = [:]
        var next = [self]
        while !next.isEmpty {
            for content in next.flatMap(\.contents) { going[ObjectIdentifier(content)] = content }
            let holders = going.values.flatMap(\.connections.children)
            let numbers = Set(holders.map(\.number))
            next = holders.flatMap(\.held).filter { child in
                going[ObjectIdentifier(child)] == nil && !kept.contains(ObjectIdentifier(child)) && child.owners == 0
                    && numbers.isSuperset(of: child.holds.sorted)
            }
        }
        return going
    }

    /// Whether nothing but states that have it as a child, and leases, hold it.
    var isChild: Bool { owners == 0 && !holds.isEmpty }

    private func isNeededOnly(by others: [ObjectIdentifier: ModuleRegistration]) -> Bool {
        dependents.values.allSatisfy { others[ObjectIdentifier($0.takeUnretainedValue())] != nil }
    }
}
