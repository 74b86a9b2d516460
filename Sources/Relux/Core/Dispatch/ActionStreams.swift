/// The subscriptions of action streams, and what watchers listen to.
///
/// - Isolation: The core's.
final class ActionStreams {
    /// A stream's place in a route, and in the scope with which it ends.
    private struct Place {
        let route: Route
        let inRoute: UInt64
        let scope: ScopeNode
        let inScope: UInt64
        let run: RunID
        let inRun: UInt64
    }

    private var places: [ObjectIdentifier: [Place]] = [:]
    private var inboxes = NumberMap<WatcherInbox>()
    /// The streams that runs have made, by the runs.
    private var streamsOfRuns: [RunID: ArrivalList<any AnyStreamBuffer>] = [:]

    /// Fills a stream with actions. Each type comes from the scope that takes it now, as seen from a scope.
    ///
    /// The first stream of a type that a run listens to starts with the registration of its module, or with its
    /// trigger.
    ///
    /// - Parameter run: The run through whose context the stream is made; 0 if there is none.
    func subscribe(
        _ buffer: any AnyStreamBuffer, to types: [any Relux.Action.Type], in scope: ScopeNode, for run: RunID
    ) {
        if run != 0, let inbox = inboxes[run] {
            for stream in inbox.claim(types, for: buffer) { unsubscribe(stream) }
        }
        var seen: Set<ObjectIdentifier> = []
        let inScope = scope.streams
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            let route = scope.handlingScope(of: type).scope.makeRoute(for: type)
            places[ObjectIdentifier(buffer), default: []].append(
                Place(
                    route: route, inRoute: route.add(buffer), scope: scope, inScope: inScope.append(buffer), run: run,
                    inRun: run == 0 ? 0 : streamsOfRuns[run, default: ArrivalList()].append(buffer)
                )
            )
        }
    }

    func unsubscribe(_ buffer: any AnyStreamBuffer) {
        for place in places.removeValue(forKey: ObjectIdentifier(buffer)) ?? [] {
            place.route.removeStream(at: place.inRoute)
            place.scope.streams.remove(place.inScope)
            place.route.scope.removeIfUnused(place.route)
            streamsOfRuns[place.run]?.remove(place.inRun)
            if streamsOfRuns[place.run]?.isEmpty == true { streamsOfRuns[place.run] = nil }
        }
    }

    /// Ends a stream after what is still in its buffer.
    func finish(_ buffer: any AnyStreamBuffer) {
        unsubscribe(buffer)
        buffer.finish()
    }

    /// Ends the streams that were created in a scope, wherever their actions are taken.
    func finishStreams(of scope: ScopeNode) {
        guard scope.hasStreams else { return }
        for stream in scope.streams.elements { finish(stream) }
    }

    /// Ends the streams that a run has made, which has finished.
    func finishStreams(of run: RunID) {
        for stream in streamsOfRuns[run]?.elements ?? [] { finish(stream) }
        discardInbox(of: run)
    }

    // MARK: Listening

    /// Begins to keep the actions that a run will listen to.
    func listen(to types: [any Relux.Action.Type], in scope: ScopeNode) -> WatcherInbox? {
        guard !types.isEmpty else { return nil }
        let inbox = WatcherInbox(listeningTo: types)
        for (type, stream) in inbox.unclaimed { subscribe(stream, to: [type], in: scope, for: 0) }
        return inbox
    }

    /// Gives a run what has been kept for it.
    func give(_ inbox: WatcherInbox?, to run: RunID) {
        if let inbox { inboxes[run] = inbox }
    }

    /// The stream that keeps the actions of a type for a run; nil if there is none, or another stream has claimed it.
    func kept<A: Relux.Action>(_ type: A.Type, for run: RunID) -> StreamBuffer<A>? { inboxes[run]?.stream(of: type) }

    /// A run is over: what it hasn't claimed ends.
    func discardInbox(of run: RunID) {
        guard let inbox = inboxes.removeValue(forKey: run) else { return }
        for (_, stream) in inbox.unclaimed { finish(stream) }
    }
}

/// The streams that were created in a scope, which end with it.
final class ScopeStreams {
    private var all = ArrivalList<any AnyStreamBuffer>()

    var elements: [any AnyStreamBuffer] { all.elements }

    func append(_ stream: any AnyStreamBuffer) -> UInt64 { all.append(stream) }

    func remove(_ place: UInt64) { all.remove(place) }
}

extension ScopeNode {
    fileprivate var hasStreams: Bool { self[Slot(.single, for: ScopeStreams.self)] != nil }

    fileprivate var streams: ScopeStreams {
        let slot = Slot(.single, for: ScopeStreams.self)
        let streams = self[slot] as? ScopeStreams ?? ScopeStreams()
        // A closed scope keeps nothing.
        if isOpen { self[slot] = streams }
        return streams
    }
}
