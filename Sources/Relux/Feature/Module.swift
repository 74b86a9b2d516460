extension Relux {
    /// A feature: what it owns, what it runs, what it needs.
    ///
    /// Its type identifies it: a store holds one instance of a module type. Its properties are asked once, when the
    /// store takes the module in, and inside the store: keep them to making plain values. Registering the type again
    /// counts another owner and keeps the first instance.
    public protocol Module: Sendable {
        /// The states that the module owns, each with its initial value. The default is none.
        var states: [any State] { get }

        /// Reducers of states of this module, or of modules that it depends on, for actions that belong to others. The
        /// default is none.
        var reducers: [Reducer] { get }

        /// The sagas that the module runs. The default is none.
        var sagas: [any Saga] { get }

        /// The flows that the module runs. The default is none.
        var flows: [any Flow] { get }

        /// The watchers that start with the module and end with it. The default is none.
        var watchers: [any Watcher] { get }

        /// The modules that this one needs. They are registered before it and live as long as any module needs them.
        /// The default is none.
        var dependencies: [any Module] { get }
    }
}

extension Relux.Module {
    /// No state.
    public var states: [any Relux.State] { [] }

    /// No reducer.
    public var reducers: [Relux.Reducer] { [] }

    /// No saga.
    public var sagas: [any Relux.Saga] { [] }

    /// No flow.
    public var flows: [any Relux.Flow] { [] }

    /// No watcher.
    public var watchers: [any Relux.Watcher] { [] }

    /// No dependency.
    public var dependencies: [any Relux.Module] { [] }
}
