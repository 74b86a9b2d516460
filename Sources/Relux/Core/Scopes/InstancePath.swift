/// The way from the root of a store to an instance, for tools that look at all states. Empty for the root.
package struct InstancePath: Sendable, Hashable, CustomStringConvertible {
    let address: ScopeAddress?

    /// The root.
    package static let root = InstancePath(address: nil)

    /// The scope around the instance; nil for the root.
    package var around: InstancePath? { address.map { InstancePath(address: $0.parent) } }

    /// Such as `Inbox.Module["work"]/Chat.Module["c1"]`; empty for the root.
    package var description: String { address?.description ?? "" }
}

extension Relux.Scope {
    /// The way to the instance.
    package var path: InstancePath { InstancePath(address: address) }
}

extension Relux.StateReader {
    /// Every state of every registered module with its scope: the root's first, each in the order of registration. A
    /// selection doesn't note it.
    package var allScopedStates: [(path: InstancePath, state: any Relux.State)] {
        scopes.flatMap { scope in
            scope.states.inOrder.compactMap { cell in cell.anyValue.map { (InstancePath(address: scope.address), $0) } }
        }
    }
}
