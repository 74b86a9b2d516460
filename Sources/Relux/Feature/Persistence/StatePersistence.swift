extension Relux {
    /// How one state of a module is loaded before the module starts, and saved as it changes.
    ///
    /// A module lists its persistences in ``Module/persistence``. `Saved` of the product `ReluxPersistence` is the
    /// usual one. Write your own for a state that has a store of its own, such as a keychain.
    ///
    /// The store awaits ``load(into:)`` before it connects the module, so that the module never runs on values that it
    /// has not loaded. It then saves the newest value whenever ``isWorthSaving(_:_:)`` says that it differs from the
    /// last one.
    ///
    /// - Isolation: ``load(into:)``, ``save(_:)``, ``erase()``, ``setAside()``, and the stream of ``changes(since:)``
    ///   are executed outside the store, in tasks of the store, on its executor. Only ``isWorthSaving(_:_:)`` is called
    ///   inside the store.
    /// - Ordering: For one state, a store saves and erases one at a time, and nothing before it has loaded.
    /// - Cancellation: A load is cancelled with the call that registers the module, or when its child is no longer
    ///   wanted. Saves and erasures are never cancelled.
    /// - Lifetime: Held as long as its module, and until the last save after that has ended.
    public protocol StatePersistence<S>: Sendable {
        /// The state that is loaded and saved.
        associatedtype S: State

        /// Loads the saved value.
        ///
        /// - Parameter initial: The value that the module lists, for what isn't saved.
        /// - Returns: The loaded value; nil if nothing has been saved yet.
        /// - Throws: ``LoadFailure``: why the value can't be loaded. Nothing is lost: ``unreadable`` says what happens.
        func load(into initial: S) async throws(LoadFailure) -> S?

        /// Saves a value, so that a later load returns it. When this returns, the value is there.
        ///
        /// - Throws: If the value could not be saved. The previous one must then still be there.
        func save(_ state: S) async throws

        /// Removes what was saved, so that a later load finds nothing.
        func erase() async throws

        /// Keeps data that can't be read under another name, so that a later load finds nothing. What was set aside
        /// before is kept as well.
        func setAside() async throws

        /// Whether a changed value has to be saved. The default is `old != new`.
        ///
        /// Called inside the store: keep it short.
        ///
        /// - Parameters:
        ///   - old: The value that was last saved or loaded, or is being saved; if there is none, the initial value.
        ///   - new: The present value.
        func isWorthSaving(_ old: S, _ new: S) -> Bool

        /// How long a change may wait to be saved. The default is 250 milliseconds.
        var pace: SavingPace { get }

        /// What happens if the saved value can't be loaded. The default is to refuse the registration.
        var unreadable: UnreadableRule { get }

        /// What a reset of the state means to what was saved. By default, the initial value is saved.
        var onReset: SavedRule { get }

        /// What the removal of the module or the instance means to what was saved. By default, it is kept.
        var onRemoval: SavedRule { get }

        /// What others have saved, as actions of the state. The default is a stream that ends at once.
        ///
        /// The store reduces each action in the state's scope. Unsaved changes of its own are saved first, so that the
        /// action of a state that simply replaces its value loses none. What was taken in counts as saved. The next
        /// action is asked for only then.
        ///
        /// - Parameter state: The value that the module started with. The stream starts with what was saved since.
        func changes(since state: S) -> AsyncStream<S.Action>

        /// Whether the last action of ``changes(since:)`` still tells what others have saved, after the saves of this
        /// store that it had to wait for. The default is true.
        ///
        /// Called inside the store, in the step that reduces the action: keep it short. Every later save includes the
        /// action, and no save is under way.
        func willTakeIn() -> Bool

        /// Identifies where the value is saved, so that two states of one store can't overwrite each other. The default
        /// is nil: it is not known.
        var location: (any Hashable & Sendable)? { get }
    }
}

extension Relux.StatePersistence {
    /// Whether the values differ.
    public func isWorthSaving(_ old: S, _ new: S) -> Bool { old != new }

    /// At most 250 milliseconds after a change.
    public var pace: Relux.SavingPace { .within(.milliseconds(250)) }

    /// The registration is refused.
    public var unreadable: Relux.UnreadableRule { .refuse }

    /// The initial value is saved.
    public var onReset: Relux.SavedRule { .save }

    /// What was saved is kept.
    public var onRemoval: Relux.SavedRule { .keep }

    /// Nothing: nobody else saves the state.
    public func changes(since state: S) -> AsyncStream<S.Action> { AsyncStream { $0.finish() } }

    /// Always: the action doesn't depend on what this store has saved.
    public func willTakeIn() -> Bool { true }

    /// Not known.
    public var location: (any Hashable & Sendable)? { nil }
}
