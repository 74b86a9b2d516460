/// Reading states and streams.
extension Relux.StoreHandle {
    nonisolated(nonsending) func state<S: Relux.State>(
        of type: S.Type, at site: Relux.CallSite
    ) async throws(Relux.StoreError) -> S {
        try await core.enterInline(as: origin) { core, origin in core.state(of: type, as: origin, at: site) }.get()
    }

    nonisolated(nonsending) func read<Value: Sendable, Failure: Error>(
        _ body: @Sendable (borrowing Relux.StateReader) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await core.enterInline(as: origin) { core, origin -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try body(core.reader(at: core.place(of: origin))))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    func values<S: Relux.State>(of type: S.Type, at site: Relux.CallSite) -> Relux.StateValues<S> {
        Relux.StateValues(self, WholeStateQuery<S>(site: site))
    }

    @usableFromInline
    func values<S: Relux.State, Value: Equatable & Sendable>(
        _ selection: StateSelection<S, Value>, at site: Relux.CallSite
    ) -> Relux.StateValues<Value> {
        Relux.StateValues(self, StateSelectionQuery(selection: selection, site: site))
    }

    func values<Value: Equatable & Sendable>(
        _ select: @escaping @Sendable (borrowing Relux.StateReader) throws -> Value
    ) -> Relux.StateValues<Value> {
        Relux.StateValues(self, ReaderSelectionQuery(select: select))
    }

    /// Whether there is such a state to read, now or once an instance with this id exists again.
    ///
    /// - Returns: Values that end with the store. In the context of a run, they end with its instance.
    func presence<S: Relux.State>(of type: S.Type) -> Relux.StateValues<Bool> {
        belongsToInstance ? values { reader in reader[type] != nil } : presence(of: ObjectIdentifier(type))
    }

    /// Whether there is an instance with this id.
    ///
    /// - Returns: Values that end with the store; nil in the root, and in the context of a run.
    func presence() -> Relux.StateValues<Bool>? {
        scope == nil || belongsToInstance ? nil : presence(of: nil)
    }

    /// Whether this leads to one instance only, and not to later ones with the same id.
    private var belongsToInstance: Bool { run != nil && scope != nil }

    private func presence(of state: ObjectIdentifier?) -> Relux.StateValues<Bool> {
        Relux.StateValues(Relux.StoreHandle(core), PresenceQuery(address: scope, state: state))
    }

    func actionStream<A: Relux.Action>(
        of type: A.Type, buffering: Relux.StreamBuffering
    ) -> Relux.ActionStream<A> {
        // A watcher's first stream of a type that it listens to starts with the registration of its module.
        Relux.ActionStream(run?.inbox?.claim(type, buffering) ?? core.subscription(to: type, as: origin, buffering))
    }

    func actionStream(
        ofAny types: [any Relux.Action.Type], buffering: Relux.StreamBuffering
    ) -> Relux.AnyActionStream {
        let buffer = StreamBuffer<any Relux.Action>(buffering)
        let inbox = run?.inbox
        var sources = inbox?.claim(any: types, for: buffer) ?? [:]
        for type in types where sources[ObjectIdentifier(type)] == nil {
            sources[ObjectIdentifier(type)] = core.subscription(to: type, as: origin, forwardingTo: buffer)
        }
        return Relux.AnyActionStream(
            Subscription(buffer) { [sources] in withExtendedLifetime((sources, inbox)) {} }
        )
    }
}
