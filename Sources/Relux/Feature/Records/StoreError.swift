extension Relux {
    // indirect: errors are rare and travel far, and each copy of the payloads would take much code.
    /// Why a store refused a call, and how to fix it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public indirect enum StoreError: Error, CustomStringConvertible {
        /// No registered module owns the state that was read.
        case stateNotOwned(any State.Type, at: CallSite)
        /// Two modules list the same type of state, or one module lists it twice.
        case stateOwnedTwice(any State.Type, by: any Module.Type, and: any Module.Type)
        /// Two modules list a flow for the same effect, or one module lists two.
        case effectAnsweredTwice(any Effect.Type, by: any Module.Type, and: any Module.Type)
        /// A module lists a reducer of a state that neither it nor its dependencies own.
        case foreignReducer(of: any State.Type, on: any Action.Type, in: any Module.Type)
        /// A module lists children that follow a state that neither it nor the modules that it needs own.
        case foreignChildren(of: any State.Type, in: any Module.Type)
        /// A module lists a rule on the change of a state that no module owns in its scope or around it.
        case foreignRule(of: any State.Type, in: any Module.Type)
        /// A handler in an instance would keep the actions of a state outside from reaching their owner.
        case shadows(any Action.Type, owner: any Module.Type)
        /// A handler listens to a ``ChildAction``, which only the scope around the instance takes.
        case listensToChildAction(any Action.Type, in: any Module.Type)
        /// A module requires a module that is not registered.
        case missing(any Module.Type, requiredBy: any Module.Type)
        /// A module lists a flow for a ``ChildAction``, which only the instance's own flow can answer.
        case flowOfChildAction(any Effect.Type, in: any Module.Type)
        /// The closure that makes the children of a state returned a module with another id than the requested one.
        case childWithOtherID(any Module.Type, requested: String, found: String)
        /// Children contain children, and these again, to a depth that only an endless nesting reaches.
        case nestedWithoutEnd(any Module.Type, limit: Int)
        /// There is no such instance.
        case noInstance(Scope, at: CallSite)
        /// There is no such module to replace.
        case moduleNotRegistered(any Module.Type, at: CallSite)
        /// A module can't be replaced by one that lists states of other types, or persists other states.
        case otherStates(of: any Module.Type)
        /// A module lists a persistence of a state that it doesn't own.
        case foreignPersistence(of: any State.Type, in: any Module.Type)
        /// Two states would be saved in the same place, or a module lists two persistences for one state.
        case savedTwice(any State.Type, and: any State.Type)
        /// A state of a page would be saved under an id that the stack of its entry has counted.
        case savedByEntry(any State.Type, in: any Module.Type)
        /// The saved value of a state could not be loaded. Its module was not registered, or the state isn't saved.
        case notLoaded(any State.Type, LoadFailure)
        /// A module has persisted states, and the call can't wait until they are loaded: it is synchronous, or it is a
        /// `replace` whose new module depends on the one with these states.
        case needsLoading(any Module.Type)
        /// Modules form a dependency cycle. The first module of the list is also its last.
        case dependencyCycle([any Module.Type])
        /// The store had been shut down or released.
        case storeShutDown(at: CallSite)
        /// The process contains several copies of this library, in these files, because it was linked statically with
        /// several dynamic libraries. Thrown by each registration.
        case loadedTwice(in: [String])

        /// A synchronous verb was used inside a store: in a reducer, an observer, a selection, a policy, a middleware,
        /// the body of a `read`, or a `deinit` that a step executes.
        case insideStore(at: CallSite)
        /// The calling run had ended, or had been cancelled or superseded.
        case staleRun(RunRecord, at: CallSite)

        /// A message that says what happened, where, and how to fix it.
        public var description: String {
            switch self {
            case .stateNotOwned(let state, let site):
                "No registered module owns \(name(state)) (\(site)). Register the module that lists it in `states`."
            case .stateOwnedTwice(let state, let module, let second) where module == second:
                "\(name(module)) lists \(name(state)) twice. A module can list each type of state only once: "
                    + "remove one."
            case .stateOwnedTwice(let state, let first, let second):
                "Both \(name(first)) and \(name(second)) list \(name(state)). A state belongs to exactly one module: "
                    + "remove it from one of them, and make that one depend on the other."
            case .effectAnsweredTwice(let effect, let module, let second) where module == second:
                "\(name(module)) lists two flows for \(name(effect)). An effect can have only one flow: make one of "
                    + "them a saga, or give it an effect of its own."
            case .effectAnsweredTwice(let effect, let first, let second):
                "Both \(name(first)) and \(name(second)) list a flow for \(name(effect)). An effect can have only one "
                    + "flow: make one of them a saga, or give it an effect of its own."
            case .foreignReducer(let state, let action, let module):
                "\(name(module)) lists a reducer of \(name(state)) for \(name(action)), but neither owns that state "
                    + "nor depends on the module that does. Add that module to its `dependencies`."
            case .foreignChildren(let state, let module):
                "\(name(module)) lists children that follow \(name(state)), but neither owns that state nor depends on "
                    + "the module that does. Add that module to its `dependencies` or `requires`."
            case .foreignRule(let state, let module):
                "\(name(module)) lists a rule on changes of \(name(state)), which no registered module owns. Register the "
                    + "module that does first or in the same call, or add it to `dependencies` or `requires`."
            case .shadows(let action, let owner):
                "A handler inside an instance takes \(name(action)), so \(name(owner)), whose state has these actions, "
                    + "wouldn't get them when they are dispatched there. Let the handler listen (`in: .enclosing`, or "
                    + "`listensTo` of a saga), or say that this is meant (`.own`)."
            case .listensToChildAction(let action, let module):
                "A handler of \(name(module)) listens to \(name(action)). Only the scope around an instance takes its "
                    + "actions in this form: list the handler there, without `in: .enclosing`."
            case .missing(let module, let dependent) where module == dependent:
                "\(name(module)) requires itself. Remove it from `requires`: only an instance that is registered inside "
                    + "another instance of its module can require that one."
            case .missing(let module, let dependent):
                "\(name(dependent)) requires \(name(module)), which isn't registered. Register it first or in the same "
                    + "call, or list an instance of it in `dependencies`."
            case .flowOfChildAction(let effect, let module):
                "\(name(module)) lists a flow for \(name(effect)). The effect of an instance is answered by the "
                    + "instance's own flow: make this one a saga."
            case .childWithOtherID(let module, let requested, let found):
                "A child \(name(module)) was requested with the id \(requested), but made with the id \(found). Pass on "
                    + "the id that the closure receives."
            case .nestedWithoutEnd(let module, let limit):
                "\(name(module)) would be the child of \(limit) instances, one inside the other. Let its children follow "
                    + "a state that is empty at first."
            case .noInstance(let scope, let site):
                "There is no \(scope) (\(site)). Register or attach the instance first, or add its id to the state that "
                    + "its scope follows."
            case .moduleNotRegistered(let module, let site):
                "\(name(module)) isn't registered (\(site)), so it can't be replaced. Register it."
            case .otherStates(let module):
                "\(name(module)) can't be replaced by an instance that lists or persists states of other types. "
                    + "Unregister it, and register the other one."
            case .foreignPersistence(let state, let module):
                "\(name(module)) lists a persistence of \(name(state)), which it doesn't own. Move it to the module that "
                    + "lists that state in `states`."
            case .savedTwice(let state, let second) where state == second:
                "\(name(state)) would be saved twice, or two instances of it in the same place. List one persistence for "
                    + "each state, and pass the instance's `id` to it."
            case .savedTwice(let state, let second):
                "\(name(state)) and \(name(second)) would be saved in the same place. Give each a key of its own."
            case .savedByEntry(let state, let module):
                "\(name(state)) of \(name(module)) would be saved under the id of an entry of a stack. These ids begin again "
                    + "in each process, so that another page would show what was saved. Save it under an id of what the "
                    + "page shows, or save the stack, too."
            case .notLoaded(let state, .damaged(let error)):
                // It may only be the program that has changed, and the error then says what to do.
                "\(name(state)) could not be loaded, and stays as it was saved: \(error)"
            case .notLoaded(let state, let failure):
                "\(name(state)) could not be loaded: \(failure). Try again, or choose another rule for what is "
                    + "`unreadable`. If its module is registered, `discardSaved` gives up what was saved."
            case .needsLoading(let module):
                "\(name(module)) has saved states to load, which takes time. Create the store with `try await`, or "
                    + "register the module later."
            case .dependencyCycle(let modules):
                "These modules form a dependency cycle: \(modules.map { name($0) }.joined(separator: " → ")). "
                    + "Move what they share into a separate module."
            case .storeShutDown(let site):
                "The store was shut down or released before this call (\(site)). Keep it alive for as long as it is "
                    + "used."
            case .loadedTwice(let files):
                "This process contains \(files.count) copies of Relux: in \(files.joined(separator: ", ")). None of them finds "
                    + "the types of another one. Let the program and all its libraries depend on the product "
                    + "`Relux-dynamic`, or make none of the libraries dynamic."
            case .insideStore(let site):
                "A synchronous verb was used inside a store (\(site)), where it can't read. Read before or after, or use "
                    + "the reader that the closure was given."
            case .staleRun(let run, let site):
                "\(run) is no longer active and can't change the store (\(site))."
            }
        }

        // inline(never): this would otherwise be copied to each name in a text.
        @inline(never)
        private func name(_ type: Any.Type) -> String { fullName(of: type) }
    }
}
