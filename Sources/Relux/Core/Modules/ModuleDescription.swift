extension Relux {
    /// A registered module with what it has connected, for tools that explain a store.
    package struct ModuleDescription: Sendable {
        /// A reducer of a module.
        package struct Reduction: Sendable {
            package let action: any Action.Type
            package let state: any State.Type
            /// Whether it is the state's own reducer.
            package let isOwn: Bool
            /// Returns the state as the reducer leaves it; nil for values of other types.
            package let reduce: @Sendable (any State, any Action) -> (any State)?
        }

        /// A saga or flow of a module.
        package struct Runner: Sendable {
            package let saga: Any.Type
            package let trigger: any Action.Type
            package let isFlow: Bool
        }

        package let module: any Module.Type
        /// The instance that the module is or is registered in; nil for the root.
        package let scope: Scope?
        /// The values of its own states.
        package let states: [any State]
        package let reductions: [Reduction]
        package let runners: [Runner]
        package let watchers: [Any.Type]
        /// The modules that it needs.
        package let needs: [any Module.Type]

        init(_ registration: ModuleRegistration, in scope: Scope?) {
            var seen: Set<ObjectIdentifier> = []
            let routes = registration.routes.filter { seen.insert(ObjectIdentifier($0)).inserted }
            let own = Set(registration.runners.map(\.id))
            module = registration.module
            self.scope = scope
            states = registration.cells.map(\.anyValue)
            reductions = routes.flatMap { $0.reductions(by: registration.generation) }
            runners = routes.flatMap { route in
                route.runners.filter { own.contains($0.id) }
                    .map { Runner(saga: $0.saga, trigger: route.action, isFlow: $0.isFlow) }
            }
            watchers = registration.watchers.map { type(of: $0.watcher) }
            // A module whose state it follows may be among its dependencies as well.
            needs = registration.needs.map(\.module).filter { seen.insert(ObjectIdentifier($0)).inserted }
        }

        /// The own reducer of a state; nil if the state has no actions of its own.
        package static func ownReduction(of state: any State.Type) -> Reduction? {
            func opened<S: State>(_ state: S.Type) -> Reduction? {
                S.Action.self == Never.self ? nil : Reductions.reduction(of: S.self)
            }
            return opened(state)
        }

        /// The reducers of a module and of those it depends on, in the order in which they run, without a store.
        package static func reductions(of module: any Module) -> [Reduction] {
            var found: [Reduction] = []
            var seen: Set<ObjectIdentifier> = []
            var open: [(module: any Module, isReady: Bool)] = [(module, false)]
            while let (next, isReady) = open.popLast() {
                if isReady {
                    found += next.states.compactMap { ownReduction(of: type(of: $0)) }
                    found += next.reducers.map(\.body.reduction)
                } else if seen.insert(ObjectIdentifier(type(of: next))).inserted {
                    open.append((next, true))
                    open += next.dependencies.reversed().map { ($0, false) }
                }
            }
            return found
        }
    }
}

/// Reducers without the types of their states and actions.
enum Reductions {
    static func reduction<S: Relux.State>(of state: S.Type) -> Relux.ModuleDescription.Reduction {
        reduction(isOwn: true) { (state: inout S, action: S.Action) in state.reduce(action) }
    }

    static func reduction<S: Relux.State, A: Relux.Action>(
        isOwn: Bool, _ body: @escaping @Sendable (inout S, A) -> Void
    ) -> Relux.ModuleDescription.Reduction {
        Relux.ModuleDescription.Reduction(action: A.self, state: S.self, isOwn: isOwn) { state, action in
            guard var state = state as? S, let action = action as? A else { return nil }
            body(&state, action)
            return state
        }
    }
}

extension ReducerBody {
    fileprivate var reduction: Relux.ModuleDescription.Reduction { Reductions.reduction(isOwn: false, reduce) }
}
