/// A selection from one state, and how to tell whether it has changed.
///
/// It is created in the caller's code, where the types are known, so that comparing a selection with the previous one
/// takes a few instructions there. Generic code would have to look everything up in the types' metadata.
@usableFromInline
struct StateSelection<S: Relux.State, Value: Equatable & Sendable>: Sendable {
    let select: @Sendable (S) -> Value
    /// Whether the selection from a cell of the state differs from the last one.
    private let differs: StateChangeCheck.Condition

    @inlinable
    init(_ select: @escaping @Sendable (S) -> Value) {
        self.init(select) { cell, check in
            // unsafeDowncast: only a cell of S calls this check, and `check(against:)` below creates it with a Value.
            let selection = unsafeDowncast(cell, to: StateCell<S>.self).contents.selection(select)
            return selection != unsafeDowncast(check.last, to: LastSelection<Value>.self).value
        }
    }

    @usableFromInline
    init(_ select: @escaping @Sendable (S) -> Value, differs: @escaping StateChangeCheck.Condition) {
        self.select = select
        self.differs = differs
    }

    /// The check that compares later selections with the last one.
    func check(against last: Value) -> StateChangeCheck { StateChangeCheck(LastSelection(last), differs) }
}

/// The previous selection of a reader.
@usableFromInline
final class LastSelection<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    fileprivate init(_ value: Value) {
        self.value = value
    }
}
