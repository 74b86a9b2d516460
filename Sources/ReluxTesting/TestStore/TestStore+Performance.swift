import Relux
import Testing

extension TestStore {
    /// An effect that a test performs.
    ///
    /// - Lifetime: It keeps the test store. Releasing it changes nothing: what it set off goes on.
    public struct Performance<Output: Sendable>: Sendable {
        let effect: String
        let store: TestStore
        let task: Task<Void, Never>
        let result: Shared<Result<Output, Relux.EffectError>?>

        /// What the effect gives, once what it set off has ended.
        ///
        /// It does not receive the actions that its runs dispatch.
        ///
        /// - Parameters:
        ///   - limit: How long to wait, in real time, for work that has left the scheduler; nil for not at all.
        ///   - sourceLocation: Where a failure is recorded.
        /// - Returns: The output; nil if it failed, since a run has not ended and nothing can run.
        /// - Throws: What `perform` throws.
        public func output(
            within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws(Relux.EffectError) -> Output? {
            await store.rest(limit) { result.value != nil }
            guard let result = result.value else {
                store.fail("\(effect) hasn't ended, and nothing can run.\n\(await store.unfinished())", sourceLocation)
                return nil
            }
            return try result.get()
        }

        /// Cancels it, as a view does that goes away, and lets that come to rest.
        public func cancel() async {
            task.cancel()
            await store.executor.rest()
        }
    }
}
