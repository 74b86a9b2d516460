/// The subscriptions of action streams, and what watchers listen to.
///
/// - Isolation: The core's.
final class ActionStreams {
    /// For each stream what takes it out of its routes, and of the scope and the run with which it ends.
    private var places: [ObjectIdentifier: [() -> Void]] = [:]

    /// Fills a stream with actions. Each type comes from the scope that takes it now, as seen from a scope.
    ///
    /// The first stream of a type that a run listens to starts with the registration of its module, or with its
    /// trigger.
    ///
    /// - Parameter run: The run through whose context the stream is made; nil if there is none.
    func subscribe(
        _ buffer: any AnyStreamBuffer, to types: [any Relux.Action.Type], in scope: ScopeNode, for run: Run? = nil
    ) {
        if let run, !run.kept.isEmpty { moveKept(types, of: run, into: buffer) }
        var seen: Set<ObjectIdentifier> = []
        let ofScope = scope.streams ?? ScopeStreams()
        // A closed scope keeps nothing.
        if scope.isOpen { scope.streams = ofScope }
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            let route = (scope.taker(of: type)?.scope ?? scope).makeRoute(for: type)
            let (inRoute, inScope) = (route.streams.append(buffer), ofScope.all.append(buffer))
            let inRun = run?.streams.append(buffer) ?? 0
            places[ObjectIdentifier(buffer), default: []].append { [weak run] in
                route.streams.remove(inRoute)
                ofScope.all.remove(inScope)
                route.scope.removeIfUnused(route)
                run?.streams.remove(inRun)
            }
        }
    }

    func unsubscribe(_ buffer: any AnyStreamBuffer) {
        for leave in places.removeValue(forKey: ObjectIdentifier(buffer)) ?? [] { leave() }
    }

    /// Ends a stream after what is still in its buffer.
    func finish(_ buffer: any AnyStreamBuffer) {
        unsubscribe(buffer)
        buffer.finish()
    }

    /// Ends the streams that were created in a scope, wherever their actions are taken.
    func finishStreams(of scope: ScopeNode) {
        for stream in scope.streams?.all.elements ?? [] { finish(stream) }
    }

    /// Ends the streams that a run has made, which has finished.
    func finishStreams(of run: Run) {
        for stream in run.streams.elements { finish(stream) }
        discardKept(of: run)
    }

    // MARK: Listening

    /// Begins to keep the actions that a run will listen to.
    ///
    /// Each type has a stream of its own, which is subscribed like any other.
    ///
    /// - Returns: The streams, by the types of their actions.
    func listen(
        to types: [any Relux.Action.Type], in scope: ScopeNode
    ) -> [ObjectIdentifier: any AnyStreamBuffer] {
        func stream<A: Relux.Action>(of type: A.Type) -> any AnyStreamBuffer { StreamBuffer<A>() }
        var streams: [ObjectIdentifier: any AnyStreamBuffer] = [:]
        for type in types where streams[ObjectIdentifier(type)] == nil {
            let stream = stream(of: type)
            streams[ObjectIdentifier(type)] = stream
            subscribe(stream, to: [type], in: scope)
        }
        return streams
    }

    /// Moves everything of some types that a run keeps into a stream, in the order of the store.
    private func moveKept(_ types: [any Relux.Action.Type], of run: Run, into buffer: any AnyStreamBuffer) {
        let claimed = types.compactMap { run.kept.removeValue(forKey: ObjectIdentifier($0)) }
        let actions = claimed.flatMap(\.actions).sorted { $0.number < $1.number }
        for (number, action) in actions { buffer.deliver(action, number: number) }
        for stream in claimed { finish(stream) }
    }

    /// A run was halted: what it hasn't claimed ends with what is there.
    func finishKept(of run: Run) {
        for stream in run.kept.values { finish(stream) }
    }

    /// A run is over, and claims nothing any more.
    func discardKept(of run: Run) {
        finishKept(of: run)
        run.kept = [:]
    }
}

/// The streams that were created in a scope, which end with it.
private final class ScopeStreams {
    var all = ArrivalList<any AnyStreamBuffer>()
}

extension ScopeNode {
    fileprivate var streams: ScopeStreams? {
        get { self[Slot(.single, for: ScopeStreams.self)] as? ScopeStreams }
        set { self[Slot(.single, for: ScopeStreams.self)] = newValue }
    }
}
