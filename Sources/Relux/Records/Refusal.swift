extension Relux {
    /// Something that the store didn't do, and why.
    ///
    /// Nothing is dropped in silence: each refusal goes to the observers, and is thrown too where the call can throw.
    public struct Refusal: Sendable, CustomStringConvertible {
        /// Why something wasn't done.
        public enum Reason: Sendable {
            /// An effect was reduced, but no saga or flow takes it.
            case effectNotTaken
            /// An action was numbered, but no reducer, saga or action stream takes it.
            case actionNotTaken
            /// The store had been shut down or released before the action came.
            case storeShutDown
            /// The run that wanted to write had ended, or been cancelled or superseded.
            case staleWrite(RunRecord)
            /// A middleware dropped the action.
            case droppedByMiddleware(reason: String)
            /// A middleware replaced a performed effect by an action without the same output.
            case replacementWithoutOutput(any Action)
            /// No registered module owns the state that was read.
            case stateNotOwned(any State.Type)
            /// No such module is registered under its own name, so there is nothing to unregister.
            case moduleNotRegistered(any Module.Type)
            /// Others still need the module, so that it can't be unregistered by name.
            case moduleStillNeeded(any Module.Type, by: [any Module.Type])
            /// Only leases hold the module: ending them unregisters it.
            case moduleHeldByLeases(any Module.Type, leases: Int)
            /// A `cancel` named a type that is not a registered saga, flow, or watcher, or an id whose type no current
            /// run of it uses.
            case cancelledNothing(Any.Type)
            /// A run would have waited for something that can only end after it.
            case waitCycle(waiting: RunRecord, on: RunRecord)
        }

        /// Why it wasn't done.
        public let reason: Reason

        /// The action that it is about, if any.
        public let action: (any Action)?

        /// The line that asked for it, if it is known.
        public let callSite: CallSite?

        /// When, on the store's clock, since the store was made.
        public let time: Duration

        /// What happened, where, and what to do about it.
        public var description: String {
            let place = callSite.map { " (\($0))" } ?? ""
            let what = action.map { String(reflecting: type(of: $0)) } ?? "a call"
            return switch reason {
            case .effectNotTaken:
                "No saga or flow takes \(what)\(place). Register the module whose saga answers it."
            case .actionNotTaken:
                "Nothing takes \(what)\(place). Register the module whose state reduces it."
            case .storeShutDown:
                "The store was shut down or released before \(what) came\(place). Keep it for as long as it is used."
            case .staleWrite(let run):
                "\(run) is over, and \(what) from it was refused\(place). Tidy up in `actionOnCancel`, not in the run."
            case .droppedByMiddleware(let reason):
                "A middleware dropped \(what)\(place): \(reason)"
            case .replacementWithoutOutput(let replacement):
                "A middleware replaced the performed \(what) by \(String(reflecting: type(of: replacement)))\(place), "
                    + "which doesn't promise the same output. Replace it by an effect with the same `Output`."
            case .stateNotOwned(let state):
                "No registered module owns \(String(reflecting: state))\(place). Register the module that lists it."
            case .moduleNotRegistered(let module):
                "\(String(reflecting: module)) isn't registered\(place), so there is nothing to unregister."
            case .moduleStillNeeded(let module, let dependents):
                "\(String(reflecting: module)) stays\(place): it is needed by "
                    + dependents.map { String(reflecting: $0) }.joined(separator: ", ") + ". Unregister these."
            case .moduleHeldByLeases(let module, let leases):
                "\(String(reflecting: module)) stays\(place): \(leases) lease(s) hold it. End the leases."
            case .cancelledNothing(let saga):
                "Cancelling \(String(reflecting: saga)) can never have an effect\(place): it is not a registered saga, flow, "
                    + "or watcher, or the id is of another type than those of its runs. Check the type and the id."
            case .waitCycle(let waiting, let on):
                "\(waiting) would wait for \(on), which can only end after it\(place). Dispatch without waiting, or use "
                    + "another policy id."
            }
        }
    }
}
