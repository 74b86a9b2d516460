/// Reading states and streams.
extension Relux.StoreHandle {
    nonisolated(nonsending) func state<S: Relux.State>(
        of type: S.Type, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> S {
        try await read { reader throws(Relux.StoreError) in try reader.state(of: type, at: site) }
    }

    nonisolated(nonsending) func read<Value: Sendable, Failure: Error>(
        _ body: @Sendable (borrowing Relux.StateReader) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await core.enter(as: origin) { core, origin -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(core.reader(as: origin))) } catch { return .failure(error) }
        }.get()
    }

    /// Whether a scope of this store leads to an instance that exists.
    nonisolated(nonsending) func isOpen(_ scope: Relux.Scope) async -> Bool {
        guard scope.core === core else { return false }
        return await core.enter(as: origin) { core, _ in
            core.phase == .open && scope.address.map { $0.resolve(in: core) != nil } ?? true
        }
    }

    /// Whether there is such a state to read, now or once an instance with this id exists again.
    ///
    /// - Returns: Values that end with the store. In the context of a run, they end with its instance.
    func presence<S: Relux.State>(of type: S.Type) -> Relux.StateValues<Bool> {
        let (key, address) = (ObjectIdentifier(type), scope)
        guard !belongsToInstance else { return Relux.StateValues(self, .selection { $0[type] != nil }) }
        return Relux.StateValues(Relux.StoreHandle(core), .selection { $0.owns(key, from: address) })
    }

    /// Whether there is an instance with this id.
    ///
    /// - Returns: Values that end with the store; nil in the root, and in the context of a run.
    func presence() -> Relux.StateValues<Bool>? {
        guard let address = scope, !belongsToInstance else { return nil }
        return Relux.StateValues(Relux.StoreHandle(core), .selection { $0.contains(address) })
    }

    /// Whether this leads to one instance only, and not to later ones with the same id.
    private var belongsToInstance: Bool { run != nil && scope != nil }

    func actionStream<Element: Sendable>(
        of types: [any Relux.Action.Type], buffering: Relux.StreamBuffering
    ) -> Relux.EventStream<Element> {
        let buffer = StreamBuffer<Element>(buffering)
        core.post { [origin] core in core.subscribe(buffer, to: types, as: origin) }
        return Relux.EventStream(Subscription(buffer, in: core))
    }

    var failures: Relux.FailureStream {
        let buffer = StreamBuffer<Relux.FailureRecord>()
        core.post { core in core.subscribeToFailures(buffer) }
        return Relux.EventStream(Subscription(buffer, in: core))
    }
}
