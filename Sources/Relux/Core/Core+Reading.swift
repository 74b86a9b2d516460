/// Reading states, and streams of actions.
extension Core {
    /// The scope of a call. If there is none, or no store any more, this is reported.
    func openScope(of caller: Caller, at site: Relux.CallSite?) throws(Relux.StoreError) -> ScopeNode {
        guard phase == .open, let scope = tree.scope(of: caller) else {
            throw readers.reader(for: caller).reportMissing(nil, at: site)
        }
        return scope
    }

    /// The scope of a call that changes more than states. If there is none, or its run may not write any more, this is
    /// reported.
    func scopeToChange(as caller: Caller, at site: Relux.CallSite) throws(Relux.StoreError) -> ScopeNode {
        if let record = staleRun(of: caller), !mayWrite(caller, at: site) { throw .staleRun(record, at: site) }
        return try openScope(of: caller, at: site)
    }

    /// Answers an iterator of values. The iteration ends with the run through whose context it is made.
    func pull<Value>(_ cursor: StateCursor<Value>) -> StatePull<Value> {
        if let run = cursor.caller.context?.id {
            guard runs.isLive(run) else { return .end }
            if cursor.ending == nil { cursor.ending = runs.addWait(of: run, endedBy: cursor.endWait) }
        }
        return cursor.pull(from: readers)
    }

    /// An iteration is over.
    func forget<Value>(_ cursor: StateCursor<Value>) {
        cursor.stopFollowing()
        if let run = cursor.caller.context, let ending = cursor.ending { runs.removeWait(ending, of: run.id) }
    }

    // MARK: Streams

    /// Fills a stream with actions. Each type comes from the scope that takes it now, as seen from the caller's scope.
    func subscribe(_ buffer: any AnyStreamBuffer, to types: [any Relux.Action.Type], as caller: Caller) {
        let hasFinished = caller.context.flatMap { runs[$0.id] }?.phase.hasFinished == true
        guard !hasFinished, let scope = try? openScope(of: caller, at: nil) else { return buffer.finish() }
        dispatch.streams.subscribe(buffer, to: types, in: scope, for: runs.listener(for: caller))
    }

    /// Begins a wait for actions.
    ///
    /// - Parameter buffer: A new one, which is filled with them.
    /// - Returns: The unclaimed stream of the type that the run has, whose actions are in the buffer, too; and the
    ///   number of the wait among those that end with the run.
    func waitForActions<A: Relux.Action>(
        in buffer: StreamBuffer<A>, as caller: Caller
    ) -> (kept: StreamBuffer<A>?, ending: UInt64?) {
        let ending = caller.context.map { runs.addWait(of: $0.id, endedBy: buffer.finish) }
        guard ending != .some(nil), let scope = try? openScope(of: caller, at: nil) else {
            buffer.finish()
            return (nil, nil)
        }
        let kept = runs.listener(for: caller)?.kept[ObjectIdentifier(A.self)] as? StreamBuffer<A>
        if let kept { buffer.begin(with: kept) }
        dispatch.streams.subscribe(buffer, to: [A.self], in: scope)
        return (kept, ending ?? nil)
    }
}
