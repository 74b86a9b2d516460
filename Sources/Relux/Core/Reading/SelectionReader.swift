/// A reader that makes the selection of a query.
///
/// - Isolation: The core's.
class SelectionReader<Value: Sendable>: SourceReader {
    final let query: StateQuery<Value>
    /// Where it reads. In the context of an instance's run, only in that instance.
    final let caller: Caller
    /// The selection from one state; nil for one from any states.
    final let selection: (any StateSelection<Value>)?
    /// The state that it reads, if it is one; nil while that is missing.
    final var cell: AnyStateCell?
    /// The last value that was selected, unless each change counts.
    final var last: Last<Value>?
    /// A value that is still to be passed on: the first that met a condition, or the last of what has gone.
    final var kept: Value?

    init(_ query: StateQuery<Value>, for caller: Caller) {
        (self.query, self.caller) = (query, caller)
        selection = if case .state(let selection) = query.subject { selection } else { nil }
    }

    /// Makes the selection, and follows what that reads.
    ///
    /// - Returns: Nil if there is nothing to select from, or if the selection throws.
    final func select(at scope: ScopeNode, in readers: Readers) -> Value? {
        let log = ReadLog()
        // In any case, because an element is a source from the moment when it is read.
        defer { follow(log.sources) }
        log.note(scope.existence)
        let reader = readers.reader(at: scope, noting: log)
        switch query.subject {
        case .reader(let select): return try? select(reader)
        case .state(let selection):
            if let cell { log.note(cell.source) } else { cell = reader.cell(of: selection.state) }
            return cell.flatMap { selection.value(in: $0) }
        }
    }

    /// Follows which instances there are, because its own, or one around it, is missing. A run belongs to one instance,
    /// and never to a later one with the same id.
    final func awaitInstance(in readers: Readers) {
        guard caller.context == nil else { return stopFollowing() }
        if let (missing, holder) = readers.tree.firstMissing(of: caller.scope) {
            follow([holder.instancesSource(of: missing.module)])
        }
    }

    override func stopFollowing() {
        super.stopFollowing()
        // It would keep the state.
        cell = nil
    }
}

/// The last value of a reader, in an object of its own: in unspecialised generic code, an optional value costs several
/// lookups of metadata with each look at it.
final class Last<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}
