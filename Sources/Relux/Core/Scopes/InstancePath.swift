/// The way from the root of a store to an instance, for tools that look at all states. Empty for the root.
@usableFromInline
package struct InstancePath: Sendable, Hashable, CustomStringConvertible {
    let address: ScopeAddress?

    /// The root.
    @usableFromInline package static let root = InstancePath(address: nil)

    /// The scope around the instance; nil for the root.
    package var around: InstancePath? { address.map { InstancePath(address: $0.parent) } }

    /// Such as `Inbox.Module["work"]/Chat.Module["c1"]`; empty for the root.
    @usableFromInline package var description: String { address?.description ?? "" }
}

extension Relux.Scope {
    /// The way to the instance.
    package var path: InstancePath { InstancePath(address: address) }
}

extension Relux.StateReader {
    /// Every state of every registered module with its scope: the root's first, each in the order of registration. The
    /// number is that of the cell: a module that is registered again has new ones. A selection doesn't note it.
    package var allScopedStates: [(path: InstancePath, serial: UInt64, state: any Relux.State)] {
        scopes.flatMap { scope in
            scope.states.inOrder.compactMap { cell in
                cell.anyValue.map { (InstancePath(address: scope.address), cell.serial, $0) }
            }
        }
    }

    /// The state of a type in the innermost scope that owns it, to be looked at several times in one step. A selection
    /// doesn't note it.
    @inlinable
    package func reference<S: Relux.State>(to type: S.Type) -> StateReference<S>? {
        innermostCell(of: ObjectIdentifier(type)).map { StateReference(.passUnretained($0)) }
    }
}

/// A state of a store. Valid in the store, and during a step only.
@usableFromInline
package struct StateReference<S: Relux.State> {
    // Unmanaged: the store holds the cell for longer than the step lasts.
    @usableFromInline let cell: Unmanaged<AnyStateCell>

    /// - Parameter cell: A cell whose state is of type `S`.
    @inlinable
    init(_ cell: Unmanaged<AnyStateCell>) {
        self.cell = cell
    }

    /// The number of the cell in its store.
    @inlinable package var number: UInt64 { cell._withUnsafeGuaranteedRef { $0.serial } }

    /// The present value.
    @inlinable package var value: S {
        // unsafeDowncast: the tables of states and the routes store each cell by the type of its state.
        cell._withUnsafeGuaranteedRef { unsafeDowncast($0, to: StateCell<S>.self).contents.value }
    }
}
