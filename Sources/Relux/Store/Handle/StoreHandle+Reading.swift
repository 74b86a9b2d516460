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
        try await core.enter(as: caller) { core, caller -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(core.readers.reader(for: caller))) } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Whether a scope of this store leads to an instance that exists.
    nonisolated(nonsending) func isOpen(_ scope: Relux.Scope) async -> Bool {
        guard scope.core === core else { return false }
        return await core.enter(as: caller) { core, _ in
            core.phase == .open && scope.address.map { core.tree.resolve($0) != nil } ?? true
        }
    }

    func actionStream<Element: Sendable>(
        of types: [any Relux.Action.Type], buffering: Relux.StreamBuffering
    ) -> Relux.EventStream<Element> {
        let buffer = StreamBuffer<Element>(buffering)
        core.post { [caller] core in core.subscribe(buffer, to: types, as: caller) }
        return Relux.EventStream(Subscription(buffer, in: core))
    }

    var failures: Relux.FailureStream {
        let buffer = StreamBuffer<Relux.FailureRecord>()
        core.post { core in if core.phase == .open { core.reporter.add(buffer) } else { buffer.finish() } }
        return Relux.EventStream(Subscription(buffer, in: core))
    }
}
