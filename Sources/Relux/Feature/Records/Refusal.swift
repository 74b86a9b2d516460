extension Relux {
    /// Something that the store refused to do, and why.
    ///
    /// Nothing is dropped silently: each refusal is reported to the observers and, if the call can throw, also thrown.
    public struct Refusal: Sendable, CustomStringConvertible {
        // indirect: refusals are rare and travel far, and each copy of the payloads would take much code.
        /// Why something was refused.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public indirect enum Reason: Sendable {
            /// An effect was reduced, but no saga or flow handles it.
            case effectNotTaken
            /// An action was numbered, but no reducer, saga, or action stream takes it.
            case actionNotTaken
            /// The store had been shut down or released before the action arrived.
            case storeShutDown

            /// A synchronous verb was used inside a store: in a reducer, an observer, a selection, a policy, a
            /// middleware, the body of a `read`, or a `deinit` that a step executes.
            case insideStore
            /// A ``UI/ViewBinding`` was set when its state, its instance, its store, or the element that its path leads
            /// to no longer existed, as SwiftUI does when it removes a view. Also reported, without an action, for a
            /// set of a binding that was made when something else was shown. Fails no test.
            case lateBinding
            /// The run that attempted the write had ended, or had been cancelled or superseded.
            case staleWrite(RunRecord)
            /// A middleware dropped the action.
            case droppedByMiddleware(reason: String)
            /// A middleware replaced a performed effect with an action that doesn't have the same output.
            case replacementWithoutOutput(any Action)
            /// No registered module owns the state that was read.
            case stateNotOwned(any State.Type)
            /// No such module is registered, so there is nothing to unregister or reset.
            case moduleNotRegistered(any Module.Type)
            /// An `Identifiable` module can't be unregistered without the id of an instance.
            case idMissing(any Module.Type)
            /// There is no such instance.
            case noInstance(Scope)
            /// The instance doesn't exist yet, because these states are being loaded for it. `values` and
            /// `wait(until:)` of its scope wait for that.
            case instanceLoading(Scope, [any State.Type])
            /// The ids of a state name the same child more than once. It counts once.
            case duplicateChild(Scope)
            /// Two navigation stacks that ``Children`` follow have entries with the same id, because both count from 1.
            /// They share the instance.
            case sharedChild(Scope)
            /// A child of a state could not be registered, and was left out; or it could not be replaced with the
            /// module that holds it, and goes on as it was.
            case childNotRegistered(StoreError)
            /// Other modules still need the module, so it can't be unregistered by name.
            case moduleStillNeeded(any Module.Type, by: [any Module.Type])
            /// The module can't be unregistered by name, because it is held only by leases, or by states that it is a
            /// child of. `leases` is the number of both together.
            case moduleHeldByLeases(any Module.Type, leases: Int)
            /// A `cancel` named a type that is not a registered saga, flow, or watcher, or an id of a type that none of
            /// its current runs uses.
            case cancelledNothing(Any.Type)
            /// A `flush` named a type that is not a registered saga, flow, or watcher, or an id of a type that none of
            /// its current runs uses.
            case flushedNothing(Any.Type)
            /// Rules have added 1,000 actions to a step, or 1,000 actions that accompany runs (`actionOnStart` and the
            /// other hooks) have followed from one of them. This action, and all that would have followed it, were not
            /// reduced.
            case endlessRules
            /// One update of the view states has led to 1,000 further rounds, each by what an observer dispatched in
            /// the one before. The values were then brought up to date once more, without calling the observers.
            case endlessUpdates
            /// A module in an instance takes an action that is dispatched there, so a module of another type, in a
            /// scope around the instance, doesn't receive it.
            case shadows(any Action.Type, in: any Module.Type, owner: any Module.Type)
            /// An instance can't be dismissed, because no state with an `onDismiss` has opened it.
            case notDismissible(Scope)
            /// The saved value of ``Refusal/state`` could not be loaded. Depending on ``StatePersistence/unreadable``,
            /// it was set aside, or it was left where it is and the state isn't saved.
            case notLoaded(LoadFailure)
            /// A run would have waited for something that can only end after the run itself.
            case waitCycle(waiting: RunRecord, on: RunRecord)
        }

        /// Why the call was refused.
        public let reason: Reason

        /// The refused action, if the refusal is about one.
        public let action: (any Action)?

        /// The state that could not be loaded; nil for all other reasons.
        public internal(set) var state: (any State.Type)?

        /// Whether an action that nothing takes, whose instance doesn't exist, or that could only end after its caller,
        /// was performed. Its caller then receives an error. False for all other reasons.
        package private(set) var isPerformed = false

        /// The line of the refused call, if it is known.
        public let callSite: CallSite?

        /// When the call was refused: the time on the store's clock since the store was created.
        public let time: Duration

        /// A message that says what happened, where, and how to fix it.
        public var description: String {
            let place = callSite.map { " (\($0))" } ?? ""
            let what = action.map { name(type(of: $0)) } ?? "a call"
            return switch reason {
            case .effectNotTaken:
                "No saga or flow handles \(what)\(place). Register the module whose saga or flow handles it."
            case .actionNotTaken:
                "Nothing handles \(what)\(place). Register the module whose state reduces it."
            case .storeShutDown:
                "The store was shut down or released before \(what) arrived\(place). Keep it alive for as long as it "
                    + "is used."
            case .insideStore:
                "\(what) was dispatched synchronously inside a store\(place), and not reduced. `send` it instead."
            case .lateBinding where action == nil:
                "A binding was set that had been made when something else was shown\(place), and it made no action. Make "
                    + "bindings of paths and sheets in each `body`, or where they are used."
            case .lateBinding:
                "A binding was set after what it shows had gone\(place), so \(what) was not reduced. There is nothing to fix "
                    + "if a toolkit did this while it removed the view."
            case .staleWrite(let run) where action is Dismissal:
                "\(run) is no longer active, so it dismissed nothing\(place). There is nothing to fix if something else has "
                    + "closed its instance."
            case .staleWrite(let run):
                "\(run) is no longer active, so \(what) from it was refused\(place). Clean up in `actionOnCancel`, not "
                    + "in the run, and dispatch its last actions with `finish`."
            case .droppedByMiddleware(let reason):
                "A middleware dropped \(what)\(place): \(reason)"
            case .replacementWithoutOutput(let replacement):
                "A middleware replaced the performed \(what) with \(name(type(of: replacement)))\(place), "
                    + "which doesn't promise the same output. Replace it with an effect that has the same `Output`."
            case .stateNotOwned(let state):
                "No registered module owns \(name(state))\(place). Register the module that lists it."
            case .moduleNotRegistered(let module):
                "\(name(module)) isn't registered\(place), so there is nothing to unregister or reset."
            case .idMissing(let module):
                "\(name(module)) has instances\(place). Pass the id of the one to unregister."
            case .noInstance(let scope):
                "There is no \(scope), so \(what) was refused\(place). Register or attach the instance first, or add its "
                    + "id to the state that its scope follows."
            case .instanceLoading(let scope, let states):
                "\(scope) is being loaded (\(states.map { name($0) }.joined(separator: ", "))), so \(what) was "
                    + "refused\(place). Wait until it is there, for example with `wait(until:)` of its scope."
            case .duplicateChild(let scope):
                "The ids of a state name \(scope) more than once\(place). List each id once."
            case .sharedChild(let scope):
                "Two navigation stacks open \(scope) from different entries\(place), so it belongs to both. Use modules of "
                    + "two types, or ids that differ, such as those of `Navigation.Tabs`."
            case .childNotRegistered(let error):
                "A child of a state was left out, or not replaced\(place). \(error)"
            case .moduleStillNeeded(let module, let dependents):
                "\(name(module)) remains registered\(place): it is needed by "
                    + dependents.map { name($0) }.joined(separator: ", ") + ". Unregister those first."
            case .moduleHeldByLeases(let module, let leases):
                "\(name(module)) remains registered\(place): \(leases) lease(s), or states that have it "
                    + "as a child, hold it. End the leases, and remove its id from those states."
            case .cancelledNothing(let saga):
                "Cancelling \(name(saga)) can never have an effect\(place): it is not a registered saga, flow, "
                    + "or watcher, or the type of the id differs from that of its runs' ids. Check the type and the id."
            case .flushedNothing(let saga):
                "Flushing \(name(saga)) can never have an effect\(place): it is not a registered saga or flow, or the type "
                    + "of the id differs from that of its runs' ids. Check the type and the id."
            case .endlessRules:
                "Rules have added \(Relux.Rule.limit) actions to one step, or as many actions of hooks such as "
                    + "actionOnStart have led to each other\(place), so \(what) was not added. Find the rules or hooks "
                    + "that follow each other's actions, and let one of them decide on a change. A rule on the change "
                    + "of a value that isn't equal to itself, such as NaN, sees a change after each action."
            case .endlessUpdates:
                "An update of the view states has led to more than 1,000 further ones. Find the observers of view states "
                    + "that dispatch an action which changes these view states again."
            case .shadows(let action, let module, let owner):
                "\(name(module)) takes \(name(action)) inside an instance, so \(name(owner)) outside doesn't get it when it "
                    + "is dispatched there\(place). Let the handler listen (`in: .enclosing`), or say that this is meant "
                    + "(`in: .own`)."
            case .notDismissible(let scope):
                "\(scope) can't be dismissed\(place). List it in `children` with an `onDismiss`, or remove its id by an "
                    + "action of the state that it follows."
            case .notLoaded(let failure):
                "\(state.map { name($0) } ?? "A state") started with its initial value\(place): \(failure). Look at the "
                    + "data that were set aside, or use `discardSaved` to give up what can't be read."
            case .waitCycle(let waiting, let on):
                "\(waiting) would wait for \(on), which can only end after it\(place). Dispatch without waiting, or use "
                    + "another policy id."
            }
        }

        // inline(never): this would otherwise be copied to each name in a text.
        @inline(never)
        private func name(_ type: Any.Type) -> String { fullName(of: type) }
    }
}
