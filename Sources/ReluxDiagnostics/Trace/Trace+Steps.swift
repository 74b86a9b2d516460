import Relux

extension Relux.Trace {
    /// Calls a closure for each event, with the changes of the states that it concerns.
    ///
    /// One call is made without an event, usually the first. It gets the earliest states that were kept, each as one
    /// change of the whole state.
    func forEachStep(_ body: (TraceEntry?, [StateChange]) -> Void) {
        var current = TracePoint(beginning: self)
        for index in 0...entries.count {
            if index == baseIndex { body(nil, base.map { $0.describingChanges(since: nil) }) }
            guard index < entries.count else { return }
            let entry = entries[index]
            let states = entry.states.map { $0.describingChanges(since: current[$0.slot]) }
            current.apply(entry)
            body(entry, states)
        }
    }
}

extension StateChange {
    /// The change with its parts, which are computed unless they are known.
    fileprivate func describingChanges(since previous: (any Relux.State)?) -> StateChange {
        guard changes == nil, let value else { return self }
        var result = self
        if let previous, !isStart {
            result.changes = ValueChange.between(previous, value)
        } else {
            result.changes = [ValueChange(path: [], new: ValueTree(of: value))]
            result.isStart = true
        }
        return result
    }
}
