import Relux

extension Relux {
    /// A map of a store: its modules, states, reducers, sagas, and rules, the actions that they take, and the effects
    /// that nothing takes.
    public struct StoreMap: Sendable, Hashable, CustomStringConvertible {
        /// A registered module, or an instance of one.
        public struct Module: Sendable, Hashable, CustomStringConvertible {
            /// The name of its type.
            public let name: String
            /// The instance that it is or is registered in; nil for the root.
            public let scope: String?
            /// The names of its states.
            public let states: [String]
            /// Its reducers, including those of the states themselves.
            public let reducers: [Reducer]
            /// Its sagas and flows.
            public let sagas: [Saga]
            /// The names of its watchers.
            public let watchers: [String]
            /// The rules.
            public let rules: [Rule]
            /// The names of the modules that it needs.
            public let needs: [String]
        }

        /// A reducer.
        public struct Reducer: Sendable, Hashable {
            /// The type of the action.
            public let action: String
            /// The type of the state.
            public let state: String
            /// Whether it is the state's own reducer.
            public let isOwn: Bool
        }

        /// The rules on an action, or on the changes of a state.
        public struct Rule: Sendable, Hashable {
            /// The type of the action; nil for rules on a state.
            public let action: String?
            /// The type of the state; nil for rules on an action.
            public let state: String?
        }

        /// A saga or flow.
        public struct Saga: Sendable, Hashable {
            /// The name of its type.
            public let name: String
            /// The type of the action that triggers it.
            public let trigger: String
            /// Whether it answers an effect.
            public let isFlow: Bool
        }

        /// The modules, the root's first, each in the order of registration.
        public let modules: [Module]

        /// The effects that a reducer takes, but no saga or flow. Performing one throws `unhandled`.
        ///
        /// A ``ChildAction`` is taken if its inner effect is, and left out while no instance of its module is open.
        public let untaken: [String]

        init(_ modules: [ModuleDescription]) {
            self.modules = modules.map { Module($0) }
            let open = Set(modules.map { ObjectIdentifier($0.module) })
            // An action of an instance is taken there, and around it as a `ChildAction`, in the same step.
            func inner(_ action: any Action.Type) -> ObjectIdentifier {
                ObjectIdentifier(ModuleDescription.inner(of: action)?.action ?? action)
            }
            let taken = Set(modules.flatMap(\.runners).map { inner($0.trigger) })
            let reduced = modules.flatMap(\.reductions).map(\.action)
            var seen: Set<ObjectIdentifier> = []
            untaken = reduced.filter { action in
                let module = ModuleDescription.inner(of: action)?.module
                return action is any Effect.Type && !taken.contains(inner(action))
                    && module.map { open.contains(ObjectIdentifier($0)) } ?? true
                    && seen.insert(ObjectIdentifier(action)).inserted
            }
            .map { shortName(of: $0) }
        }

        /// The map as text, one paragraph for each module.
        public var description: String {
            var paragraphs = modules.map(\.description)
            if !untaken.isEmpty { paragraphs.append("No saga or flow takes " + untaken.joined(separator: ", ")) }
            return paragraphs.joined(separator: "\n\n")
        }

        /// The map as a Mermaid flowchart: from actions to the states that they change, and to the sagas and rules that
        /// they trigger.
        public var mermaid: String {
            var lines = ["flowchart LR"]
            var names: [String: String] = [:]
            func node(_ kind: String, _ name: String) -> String {
                let key = "\(kind) \(name)"
                if names[key] == nil { names[key] = "\(kind)\(names.count)" }
                return names[key] ?? kind
            }
            func label(_ text: String) -> String {
                text.replacing("\"", with: "#quot;").replacing("<", with: "#lt;").replacing(">", with: "#gt;")
            }
            var arrows: [String] = []
            var actions: [String] = []
            /// The module whose state a reducer or a rule in a module finds: one in its own scope, if there is any.
            func owner(of state: String, for index: Int) -> Int {
                func owns(_ module: Module) -> Bool { module.states.contains(state) }
                return modules.firstIndex { $0.scope == modules[index].scope && owns($0) }
                    ?? modules.firstIndex(where: owns) ?? index
            }
            for (index, module) in modules.enumerated() {
                let place = module.scope.map { " in \($0)" } ?? ""
                let own = "\(index)"
                lines.append("    subgraph m\(index)[\"\(label(module.name + place))\"]")
                for state in module.states {
                    lines.append("        \(node("s", "\(state) \(own)"))[(\"\(label(state))\")]")
                }
                let workers = module.sagas.map { ("r", $0.name) } + module.watchers.map { ("w", $0) }
                for (kind, name) in workers {
                    lines.append("        \(node(kind, "\(name) \(own)"))([\"\(label(name))\"])")
                }
                if !module.rules.isEmpty { lines.append("        \(node("d", own)){{\"rules\"}}") }
                lines.append("    end")
                for rule in module.rules {
                    if let action = rule.action, !actions.contains(action) { actions.append(action) }
                    let state = rule.state.map { node("s", "\($0) \(owner(of: $0, for: index))") }
                    let start = rule.action.map { node("a", $0) } ?? state ?? node("d", own)
                    arrows.append("    \(start) ==> \(node("d", own))")
                }
                for reducer in module.reducers {
                    if !actions.contains(reducer.action) { actions.append(reducer.action) }
                    let owner = owner(of: reducer.state, for: index)
                    let (action, state) = (node("a", reducer.action), node("s", "\(reducer.state) \(owner)"))
                    arrows.append("    \(action) \(reducer.isOwn ? "-->" : "-.->") \(state)")
                }
                for saga in module.sagas {
                    if !actions.contains(saga.trigger) { actions.append(saga.trigger) }
                    arrows.append("    \(node("a", saga.trigger)) ==> \(node("r", "\(saga.name) \(own)"))")
                }
            }
            lines += actions.map { "    \(node("a", $0))[\"\(label($0))\"]" } + arrows
            let dead = untaken.map { node("a", $0) }
            if !dead.isEmpty {
                lines.append("    classDef untaken stroke-dasharray: 4")
                lines.append("    class \(dead.joined(separator: ",")) untaken")
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }
}

extension Relux.StoreMap.Module {
    fileprivate init(_ module: Relux.ModuleDescription) {
        self.init(
            name: shortName(of: module.module), scope: module.scope?.description,
            states: module.states.map { shortName(of: type(of: $0)) },
            reducers: module.reductions.map {
                Relux.StoreMap.Reducer(
                    action: shortName(of: $0.action), state: shortName(of: $0.state), isOwn: $0.isOwn)
            },
            sagas: module.runners.map {
                Relux.StoreMap.Saga(name: shortName(of: $0.saga), trigger: shortName(of: $0.trigger), isFlow: $0.isFlow)
            },
            watchers: module.watchers.map { shortName(of: $0) },
            rules: module.rules.map {
                Relux.StoreMap.Rule(
                    action: $0.action.map { shortName(of: $0) }, state: $0.state.map { shortName(of: $0) })
            },
            needs: module.needs.map { shortName(of: $0) }
        )
    }

    /// The module as text, one line for each thing that it has.
    public var description: String {
        var lines = [name + (scope.map { " in \($0)" } ?? "")]
        lines += needs.map { "  needs \($0)" }
        lines += states.map { "  owns \($0)" }
        lines += reducers.map { "  reduces \($0.action) into \($0.state)" }
        lines += sagas.map { "  runs \($0.name) on \($0.trigger)\($0.isFlow ? ", and answers" : "")" }
        lines += watchers.map { "  watches with \($0)" }
        lines += rules.map { "  decides on \($0.action ?? "changes of \($0.state ?? "")")" }
        return lines.joined(separator: "\n")
    }
}

extension Relux.StateReading {
    /// A map of the store as it is now, including all instances.
    ///
    /// - Ordering: As with a read: after everything that the calling task has dispatched and sent before.
    /// - Complexity: O(n log n) in the number of modules, and O(n) in what they list.
    public nonisolated(nonsending) func map() async -> Relux.StoreMap {
        await read { reader in Relux.StoreMap(reader.modules) }
    }
}
