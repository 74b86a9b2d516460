import Relux
import Testing

/// A real store that must be told everything that happens in it.
///
/// ```swift
/// let store = try await TestStore { Notes.Module(service: service) }
///
/// await store.dispatch(Notes.Effect.load) { (state: inout Notes.State) in state.notes = .loading(previous: nil) }
/// await store.receive(Notes.State.Action.loaded([])) { (state: inout Notes.State) in state.notes = .loaded([]) }
/// await store.finish()
/// ```
///
/// Each step says which action comes next and how every state changes with it. A change that was not stated fails, as
/// do an action that a saga dispatched and nobody received, and a run that has not ended. Where an action changes
/// several states, each gets a closure:
///
/// ```swift
/// await store.dispatch(Session.Action.signedOut) { (session: inout Session.State) in session.user = nil
/// } _: { (notes: inout Notes.State) in notes.notes = .idle }
/// ```
///
/// The store and its sagas run on a ``SeededExecutor`` and a ``ManualClock`` of the test's own. Each step lets all of
/// them come to rest, so nothing is waited for that can't come: a step that finds nothing fails at once, and says what
/// is busy and who sleeps. Only work that leaves the scheduler has to be waited for:
/// ``receive(_:within:_:sourceLocation:)`` takes a limit for it.
///
/// - Isolation: Closures that state changes are called where the caller is isolated. Nothing runs between two steps.
/// - Ordering: A test makes its steps one after the other. Sagas that run side by side take turns as the seed says, the
///   same way each time.
/// - Cancellation: Steps aren't cancellable, but for the waiting of `within:`.
/// - Lifetime: The store goes with its last reference. ``finish(within:sourceLocation:)`` is the last step of a test:
///   without it, what was not received is not missed.
public final class TestStore: Sendable {
    /// How much a test has to say.
    public enum Exhaustivity: Sendable, Hashable {
        /// Everything: each action, and each change.
        case on
        /// What matters. Actions may be passed over, and only stated changes are checked: those of other parts of the
        /// same state aren't.
        case off
    }

    /// How much the test has to say.
    public let exhaustivity: Exhaustivity

    /// The time of the store, which moves by ``advance(by:)``.
    public let clock: ManualClock

    /// Carries the store and its sagas, while a step drives it.
    public let executor: SeededExecutor

    /// Everything that the store has reported: runs and refusals too.
    public let recorder: RecordingObserver

    let ledger = TestLedger()
    let store: Relux.Store

    /// Makes a store with modules.
    ///
    /// - Parameters:
    ///   - configuration: Given states, middleware, observers. Its clock and executor are replaced by the test's.
    ///   - exhaustivity: How much the test has to say.
    ///   - seed: What the turns of sagas that run side by side follow from.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - modules: Lists the modules. What their watchers dispatch is to be received.
    /// - Throws: What the closure throws, or a `StoreError` if the modules don't fit together.
    public init(
        _ configuration: Relux.StoreConfiguration = .init(),
        exhaustivity: Exhaustivity = .on,
        seed: UInt64 = 0,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        @Relux.ModuleBuilder modules: @escaping @Sendable () async throws -> [any Relux.Module]
    ) async throws {
        let executor = SeededExecutor(seed: seed)
        let clock = ManualClock { await executor.rest() }
        let recorder = RecordingObserver()
        self.executor = executor
        self.clock = clock
        self.recorder = recorder
        self.exhaustivity = exhaustivity

        var configuration = configuration
        configuration.clock = clock
        configuration.executor = executor
        configuration.randomSeed = configuration.randomSeed ?? seed
        configuration.observers = [recorder, ledger] + configuration.observers
        configuration.middleware.insert(ledger, at: 0)
        store = try await executor.value { [configuration, ledger] in
            let store = try await Relux.Store(configuration, fileID: fileID, line: line, modules: modules)
            await store.read { states in ledger.open(with: StateSnapshot(states)) }
            return store
        }
    }

    // Nobody drives the executor any more: what is still under way is ended here, so that no task is left behind.
    deinit {
        executor.end(store)
    }

    /// A state, as it is now.
    ///
    /// - Parameters:
    ///   - type: The state.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: Its value.
    /// - Throws: `StoreError.stateNotOwned` if no registered module owns it.
    public func state<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> S {
        try await executor.value { [store] in try await store.state(of: type, fileID: fileID, line: line) }
    }

    /// Moves the time on, and lets each run that it wakes come to rest before the next.
    ///
    /// What they dispatch is to be received.
    ///
    /// - Parameter duration: How far.
    public func advance(by duration: Duration) async {
        await clock.advance(by: duration)
    }

    /// Does something else with the store, on its scheduler: a reset, a registration, a `send`.
    ///
    /// What it dispatches is to be received, and a change that comes by no action is to be stated by
    /// ``changed(_:sourceLocation:)``.
    ///
    /// - Parameter body: What to do. The test waits until it has ended, also where it waits for work elsewhere.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    @discardableResult
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (Relux.Store) async throws -> Value
    ) async throws -> Value {
        try await executor.value { [store] in try await body(store) }
    }
}
