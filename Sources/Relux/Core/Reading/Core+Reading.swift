/// Reading states, and streams of actions.
extension Core {
    /// The place that a caller names.
    enum Place {
        case scope(ScopeNode)
        /// An instance that doesn't exist.
        case missing(Relux.Scope)
    }

    /// Looks up where a call is made.
    func place(of origin: Origin) -> Place {
        guard let address = origin.scope else { return .scope(root) }
        // A run stays in its own instance, even if there is a new one with the same id.
        if let scope = address.resolve(from: root), origin.handle.map({ $0.scopeSerial == scope.serial }) ?? true {
            return .scope(scope)
        }
        return .missing(Relux.Scope(self, address))
    }

    /// The scope of a call; nil if there is no such instance, which is reported.
    func scope(of origin: Origin, at site: Relux.CallSite?) -> ScopeNode? {
        if case .scope(let scope) = place(of: origin) { return scope }
        _ = Relux.StateReader(at: place(of: origin), in: self).reportMissing(nil, at: site)
        return nil
    }

    /// A reader to lend to a closure.
    func reader(as origin: Origin) -> Relux.StateReader { Relux.StateReader(at: place(of: origin), in: self) }

    /// Answers an iterator of values.
    ///
    /// - Parameter endsWithRun: Whether the iteration ends with the run through whose context it is made.
    func pull<Value>(
        _ cursor: StateCursor<Value>, as origin: Origin, endingWithRun endsWithRun: Bool = false
    ) -> StatePull<Value> {
        guard endsWithRun, let run = origin.handle?.id else { return cursor.pull(from: self, at: place(of: origin)) }
        guard runs.isLive(run) else { return .end }
        if let ending = cursor.ending { runs.removeWait(ending, of: run) }
        let pull = cursor.pull(from: self, at: place(of: origin))
        if case .wait = pull { cursor.ending = runs.addWait(of: run) { _ in cursor.endWait() } }
        return pull
    }

    // MARK: Streams

    /// Where a stream is registered, so that it can be removed.
    struct StreamPlace {
        let route: Route
        let inRoute: UInt64
        /// The scope in which the stream was created, which it ends with.
        let scope: ScopeNode
        let inScope: UInt64
    }

    /// Fills a stream with actions. Each type comes from the scope that takes it now, as seen from the caller's scope.
    ///
    /// A watcher's first stream of a type that it listens to starts with the registration of its module.
    func subscribe(_ buffer: any AnyStreamBuffer, to types: [any Relux.Action.Type], as origin: Origin) {
        guard phase == .open, let scope = scope(of: origin, at: nil) else { return buffer.finish() }
        if let run = origin.handle { inboxes[run.id]?.claim(types, for: buffer, in: self) }
        var seen: Set<ObjectIdentifier> = []
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            let route = scope.handlingScope(of: type).scope.makeRoute(for: type)
            let place = StreamPlace(
                route: route, inRoute: route.add(buffer), scope: scope, inScope: scope.streams.append(buffer))
            streams[ObjectIdentifier(buffer), default: []].append(place)
        }
    }

    /// Removes a stream of actions or of failures.
    func unsubscribe(_ buffer: any AnyStreamBuffer) {
        reporter.remove(buffer)
        for place in streams.removeValue(forKey: ObjectIdentifier(buffer)) ?? [] {
            place.route.removeStream(at: place.inRoute)
            place.scope.streams.remove(place.inScope)
            place.route.scope.removeIfUnused(place.route)
        }
    }

    func subscribeToFailures(_ buffer: StreamBuffer<Relux.FailureRecord>) {
        if phase == .open { reporter.add(buffer) } else { buffer.finish() }
    }
}
