/// Reading states, and streams of actions.
extension Core {
    /// Looks up where a call is made; nil if there is no such instance.
    func scope(of origin: Origin) -> ScopeNode? {
        guard let address = origin.scope else { return root }
        let scope = address.resolve(from: root)
        // A run stays in its own instance, even if there is a new one with the same id.
        return origin.handle == nil || origin.handle?.scopeSerial == scope?.serial ? scope : nil
    }

    /// The scope of a call. If there is none, or no store any more, this is reported.
    func openScope(of origin: Origin, at site: Relux.CallSite?) throws(Relux.StoreError) -> ScopeNode {
        guard phase == .open, let scope = scope(of: origin) else {
            throw reader(as: origin).reportMissing(nil, at: site)
        }
        return scope
    }

    /// The scope of a call that changes more than states. If there is none, or its run may not write any more, this is
    /// reported.
    func scopeToChange(as origin: Origin, at site: Relux.CallSite) throws(Relux.StoreError) -> ScopeNode {
        if let record = staleRun(of: origin), !mayWrite(origin, at: site) { throw .staleRun(record, at: site) }
        return try openScope(of: origin, at: site)
    }

    /// A reader to lend to a closure.
    func reader(as origin: Origin) -> Relux.StateReader {
        let scope = scope(of: origin)
        return Relux.StateReader(at: scope, missing: scope == nil ? Relux.Scope(self, origin.scope) : nil, in: self)
    }

    /// Answers an iterator of values.
    ///
    /// - Parameter endsWithRun: Whether the iteration ends with the run through whose context it is made.
    func pull<Value>(
        _ cursor: StateCursor<Value>, as origin: Origin, endingWithRun endsWithRun: Bool = false
    ) -> StatePull<Value> {
        guard endsWithRun, let run = origin.handle?.id else { return cursor.pull(from: self, as: origin) }
        guard runs.isLive(run) else { return .end }
        cursor.ending = cursor.ending ?? runs.addWait(of: run) { _ in cursor.endWait() }
        return cursor.pull(from: self, as: origin)
    }

    /// An iteration is over.
    ///
    /// - Parameter run: The run with which the iteration ends, if it ends with one.
    func forget<Value>(_ cursor: StateCursor<Value>, in run: RunHandle? = nil) {
        cursor.stopFollowing()
        if let run, let ending = cursor.ending.take() { runs.removeWait(ending, of: run.id) }
    }

    // MARK: Streams

    /// Fills a stream with actions. Each type comes from the scope that takes it now, as seen from the caller's scope.
    ///
    /// A watcher's first stream of a type that it listens to starts with the registration of its module.
    func subscribe(_ buffer: any AnyStreamBuffer, to types: [any Relux.Action.Type], as origin: Origin) {
        guard phase == .open, let scope = try? openScope(of: origin, at: nil) else { return buffer.finish() }
        if let run = origin.handle { inboxes[run.id]?.claim(types, for: buffer, in: self) }
        var seen: Set<ObjectIdentifier> = []
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            let route = scope.handlingScope(of: type).scope.makeRoute(for: type)
            // It ends with the scope in which it was created.
            let (inRoute, inScope) = (route.add(buffer), scope.streams.append(buffer))
            subscriptions[ObjectIdentifier(buffer), default: []].append {
                route.removeStream(at: inRoute)
                scope.streams.remove(inScope)
                route.scope.removeIfUnused(route)
            }
        }
    }

    /// Removes a stream of actions or of failures.
    func unsubscribe(_ buffer: any AnyStreamBuffer) {
        for end in subscriptions.removeValue(forKey: ObjectIdentifier(buffer)) ?? [] { end() }
    }

    /// Ends a stream after what is still in its buffer.
    func finish(_ buffer: any AnyStreamBuffer) {
        unsubscribe(buffer)
        buffer.finish()
    }

    func subscribeToFailures(_ buffer: StreamBuffer<Relux.FailureRecord>) {
        guard phase == .open else { return buffer.finish() }
        let place = reporter.failureStreams.append(buffer)
        subscriptions[ObjectIdentifier(buffer)] = [{ [reporter] in reporter.failureStreams.remove(place) }]
    }
}
