import Relux
import Testing

extension TestStore {
    /// An effect that a test performs.
    ///
    /// - Lifetime: It keeps the test store alive. Releasing it has no effect: the work that it triggered continues.
    public struct Performance<Output: Sendable>: Sendable {
        let id: Int
        let effect: String
        let store: TestStore
        let task: Task<Void, Never>
        let result: Shared<Result<Output, Relux.EffectError>?>

        /// Returns the effect's output once the work that it triggered has ended.
        ///
        /// An error that is never asked for fails ``TestStore/finish(within:sourceLocation:)``. This doesn't receive
        /// the actions that its runs dispatch.
        ///
        /// - Parameter limit: How long to wait, in real time, for work that has left the scheduler. With nil, it
        ///   doesn't wait.
        /// - Returns: The output. It is nil, and an issue is recorded, if a run has not ended and nothing can run.
        /// - Throws: Any error that `perform` throws.
        public func output(
            within limit: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws(Relux.EffectError) -> Output? {
            await store.rest(limit) { result.value != nil }
            guard store.comesToRest(sourceLocation) else { return nil }
            guard let result = result.value else {
                let why = "\(await store.standstill(limit))\n\(await store.unfinished())"
                store.fail("\(effect) hasn't ended: \(why)", sourceLocation)
                return nil
            }
            store.ledger.receive(performance: id)
            return try result.get()
        }

        /// Cancels the effect, as a view does when it disappears, and runs until nothing more can run.
        public func cancel() async {
            task.cancel()
            await store.executor.rest()
        }
    }
}
