import Relux
import Testing

extension TestStore {
    /// Skips the actions that have not been received, with everything that they changed.
    ///
    /// The next step continues from the present states. If there is nothing to skip, this does nothing.
    public nonisolated(nonsending) func skipReceived() async {
        await executor.rest()
        _ = ledger.takeAll()
        ledger.know(await present())
    }

    /// Lets the runs that have not ended yet continue after the end of the test.
    ///
    /// ``finish(within:sourceLocation:)`` doesn't wait for them, nor for what they perform and await, and doesn't
    /// report them. What they dispatch before the end must still be received.
    public nonisolated(nonsending) func skipRuns() async {
        await executor.rest()
        ledger.skip(await busyRuns().map(\.run))
    }

    /// Makes some steps with another exhaustivity.
    ///
    /// Before exhaustive steps, the actions that earlier, non-exhaustive steps have not received are skipped, with
    /// everything that they changed. If the closure's steps are exhaustive, no action may be left to receive when it
    /// returns.
    ///
    /// ```swift
    /// await store.withExhaustivity(.off) {
    ///     await store.dispatch(Session.Effect.signIn("ann"))
    ///     await store.receive(Session.State.Action.signedIn)
    /// }
    /// ```
    ///
    /// - Isolation: The closure is called in the caller's isolation.
    /// - Parameters:
    ///   - exhaustivity: How much these steps must state.
    ///   - sourceLocation: Where to report that something is left to receive.
    ///   - steps: The steps.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    public nonisolated(nonsending) func withExhaustivity<Value, Failure: Error>(
        _ exhaustivity: Exhaustivity,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ steps: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let before = self.exhaustivity
        if exhaustivity == .on, before == .off { await skipReceived() }
        isExhaustive.store(exhaustivity == .on, ordering: .releasing)
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await steps())
        } catch {
            result = .failure(error)
        }
        if exhaustivity == .off, before == .on { await skipReceived() }
        if exhaustivity == .on, before == .off, case .success = result {
            await expectNothingPending(before: "the end of the exhaustive steps", sourceLocation)
        }
        isExhaustive.store(before == .on, ordering: .releasing)
        return try result.get()
    }
}
