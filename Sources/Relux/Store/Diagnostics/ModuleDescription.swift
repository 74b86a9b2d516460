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
        /// Its rules: the action that each is on, or the state whose changes it is on.
        package let rules: [(action: (any Action.Type)?, state: (any State.Type)?)]
        /// The modules that it needs.
        package let needs: [any Module.Type]

        init(_ registration: ModuleRegistration, in scope: Scope?) {
            module = registration.module
            self.scope = scope
            states = registration.cells.map(\.anyValue)
            reductions = Self.reductions(of: states, registration.reducers)
            runners = registration.runners.compactMap { runner in
                runner.trigger.map { Runner(saga: runner.saga, trigger: $0, isFlow: runner.isFlow) }
            }
            watchers = registration.watchers.map(\.saga)
            let actions = registration.routes.filter { route in route.rules.contains { $0.owner === registration } }
            var ruled: Set<ObjectIdentifier> = []
            let changing = registration.changeRules.map(\.cell).filter { ruled.insert(ObjectIdentifier($0)).inserted }
            rules = actions.map { ($0.action, nil) } + changing.map { (nil, $0.state) }
            // A module whose state it follows may be among its dependencies as well.
            var seen: Set<ObjectIdentifier> = []
            needs = registration.needs.map(\.module).filter { seen.insert(ObjectIdentifier($0)).inserted }
        }

        /// The own reducer of a state; nil if the state has no actions of its own.
        package static func ownReduction(of state: any State.Type) -> Reduction? {
            func opened<S: State>(_ state: S.Type) -> Reduction? {
                guard S.Action.self != Never.self else { return nil }
                return Reduction(isOwn: true) { (state: inout S, action: S.Action) in state.reduce(action) }
            }
            return opened(state)
        }

        private static func reductions(of states: [any State], _ reducers: [Reducer]) -> [Reduction] {
            states.compactMap { ownReduction(of: type(of: $0)) } + reducers.map(\.body.reduction)
        }

        /// The reducers of some modules and of those they depend on, in the order in which they run, without a store.
        /// A module that several depend on is listed once, as is the own reducer of a state that several own.
        package static func reductions(of modules: [any Module]) -> [Reduction] {
            var found: [Reduction] = []
            var seen: Set<ObjectIdentifier> = []
            var open = modules.reversed().map { (module: $0, isReady: false) }
            while let (next, isReady) = open.popLast() {
                if isReady {
                    found += reductions(of: next.states, next.reducers).filter { new in
                        !new.isOwn || !found.contains { $0.isOwn && $0.state == new.state }
                    }
                } else if seen.insert(ObjectIdentifier(type(of: next))).inserted {
                    open.append((next, true))
                    open += next.dependencies.reversed().map { ($0, false) }
                }
            }
            return found
        }
    }
}

extension Relux.ModuleDescription.Reduction {
    fileprivate init<S: Relux.State, A: Relux.Action>(
        isOwn: Bool, _ body: @escaping @Sendable (inout S, A) -> Void
    ) {
        self.init(action: A.self, state: S.self, isOwn: isOwn) { state, action in
            guard var state = state as? S, let action = action as? A else { return nil }
            body(&state, action)
            return state
        }
    }
}

extension ReducerBody {
    fileprivate var reduction: Relux.ModuleDescription.Reduction { .init(isOwn: false, reduce) }
}
