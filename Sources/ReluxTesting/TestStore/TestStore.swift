import Relux
import Synchronization
import Testing

/// A real store that requires its test to state everything that happens in it.
///
/// ```swift
/// let store = try await TestStore { Notes.Module(service: service) }
///
/// await store.dispatch(Notes.Effect.load) { (state: inout Notes.State) in state.notes = .loading(previous: nil) }
/// await store.receive(Notes.State.Action.loaded([])) { (state: inout Notes.State) in state.notes = .loaded([]) }
/// await store.finish()
/// ```
///
/// Each step states which action comes next and how it changes every state. The test fails on a change that was not
/// stated, on an action dispatched by a saga that was not received, and on a run that has not ended. If an action
/// changes several states, each of them gets a closure:
///
/// ```swift
/// await store.dispatch(Session.Action.signedOut) { (session: inout Session.State) in session.user = nil
/// } _: { (notes: inout Notes.State) in notes.notes = .idle }
/// ```
///
/// The store and its sagas run on a ``SeededExecutor`` and a ``ManualClock`` of their own. Each step runs until nothing
/// more can run, and therefore never waits for something that can't happen. A step whose action can't arrive fails at
/// once, and lists the busy runs and the sleepers. Only work that leaves the scheduler has to be awaited in real time:
/// ``receive(_:within:_:sourceLocation:)->()`` takes a limit for that wait.
///
/// - Isolation: The closures that state changes are called in the caller's isolation. Nothing runs between two steps.
/// - Ordering: A test makes its steps one after another. Concurrent sagas take turns in an order determined by the
///   seed, which is the same each time.
/// - Cancellation: Steps can't be cancelled, except while they wait for work that has left the scheduler.
/// - Lifetime: The store is shut down when its last reference is released. ``finish(within:sourceLocation:)`` must be
///   the last step of a test. An exhaustive store fails the test if it is released without this step, or if later steps
///   have left actions or errors.
public final class TestStore: Sendable {
    /// How much a test must state.
    public enum Exhaustivity: Sendable, Hashable {
        /// The test must state every action and every change.
        case on
        /// The test states only what matters to it.
        ///
        /// Actions may be skipped, and only stated changes are checked. Changes of other parts of the same state are
        /// not. The closure of a step therefore gets the state after the action. It assigns what the test expects, as
        /// in `$0.count = 2`, and the step fails if this changes the state. A relative change, such as `$0.count += 1`,
        /// can't be checked.
        case off
    }

    /// Whether the states of modules are loaded and saved.
    public enum Persistence: Sendable, Hashable {
        /// States are loaded before the first step, and saved until ``finish(within:sourceLocation:)``, which saves the
        /// remaining changes.
        case on
        /// Each state starts with its initial value, and nothing is saved.
        case off
    }

    /// How much the test must state now.
    public var exhaustivity: Exhaustivity { isExhaustive.load(ordering: .acquiring) ? .on : .off }

    /// The store's clock, which ``advance(by:)`` moves.
    public let clock: ManualClock

    /// The executor of the store and its sagas, which runs only while a step drives it.
    ///
    /// Once the work of a step has turned out to be endless, its `rest()` returns at once.
    public let executor: SeededExecutor

    /// Everything that the store has reported, including runs and refusals.
    public let recorder: RecordingObserver

    let ledger = TestLedger()
    let isExhaustive: Atomic<Bool>
    let persistence: Persistence
    let sourceLocation: SourceLocation
    private let owned: OwnedStore

    var store: Relux.Store { owned.store }

    /// Creates a store with modules.
    ///
    /// - Parameters:
    ///   - configuration: Initial states, middleware and observers. Its clock and executor are replaced by the test's.
    ///   - exhaustivity: How much the test must state.
    ///   - persistence: Whether states are loaded and saved.
    ///   - seed: Determines the order in which concurrent sagas take turns.
    ///   - jobLimit: The number of jobs after which the work of a step is considered endless and fails the test.
    ///   - modules: Lists the modules. The test must receive what their watchers dispatch.
    /// - Throws: Any error that the closure throws, or a `StoreError` if the modules don't fit together.
    public init(
        _ configuration: Relux.StoreConfiguration = .init(),
        exhaustivity: Exhaustivity = .on,
        persistence: Persistence = .off,
        seed: UInt64 = 0,
        jobLimit: Int = 100_000,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        sourceLocation: SourceLocation = #_sourceLocation,
        @Relux.ModuleBuilder modules: @escaping @Sendable () async throws -> [any Relux.Module]
    ) async throws {
        let executor = SeededExecutor(seed: seed, jobLimit: jobLimit)
        let clock = ManualClock { await executor.rest() }
        let recorder = RecordingObserver()
        self.executor = executor
        self.clock = clock
        self.recorder = recorder
        isExhaustive = Atomic(exhaustivity == .on)
        self.persistence = persistence
        self.sourceLocation = sourceLocation

        var configuration = configuration
        configuration.ignoresPersistence = persistence == .off
        configuration.clock = clock
        configuration.executor = executor
        configuration.randomSeed = configuration.randomSeed ?? seed
        configuration.observers = [recorder, ledger] + configuration.observers
        let store = try await executor.value { [configuration] in
            try await Relux.Store(configuration, fileID: fileID, line: line, modules: modules)
        }
        owned = OwnedStore(store)
    }

    // Nothing drives the executor from here on. The remaining work is ended now, so that no task is left behind.
    deinit {
        checkEnd()
        owned.end(on: executor)
    }

    /// Returns the current value of a state.
    ///
    /// - Throws: `StoreError.stateNotOwned` if no registered module owns the state.
    public func state<S: Relux.State>(
        of type: S.Type = S.self, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> S {
        try await executor.value { [store] in try await store.state(of: type, fileID: fileID, line: line) }
    }

    /// Advances the time, and runs the work that this wakes until nothing more can run.
    ///
    /// Before the next sleeper is woken, all work that the previous one has caused runs. The test must receive what
    /// these runs dispatch.
    ///
    /// - Parameter duration: How far to advance.
    public func advance(by duration: Duration) async {
        await clock.advance(by: duration)
    }

    /// Runs a closure with the store on its scheduler, for a reset, a registration or a `send`, for example.
    ///
    /// The test must receive the actions that this dispatches. Changes that no action makes must be stated with
    /// ``changed(_:sourceLocation:)``.
    ///
    /// - Parameter body: The work to do. The call waits until it has ended, even if it waits for work elsewhere. It
    ///   must not wait for the store's clock, which nothing advances meanwhile.
    /// - Throws: Any error that the closure throws, or `CancellationError` if the task is cancelled while the call
    ///   waits for work elsewhere.
    @discardableResult
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (Relux.Store) async throws -> Value
    ) async throws -> Value {
        try await executor.value { [store] in try await body(store) }
    }
}
