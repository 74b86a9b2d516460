extension Relux {
    /// The identity of a run: what runs and what triggered it.
    public struct RunRecord: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// A kind of work.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Kind: Sendable, Hashable {
            /// A ``Relux/Saga``.
            case saga
            /// A ``Relux/Flow``.
            case flow
            /// A ``Relux/Watcher``.
            case watcher
            /// The body of ``Relux/SagaContext/timeout(after:_:)``.
            case timeout
            /// A save or an erasure of a persisted state. Observers don't see it start or end, but it keeps the store
            /// busy, and its failures are reported.
            case save
            /// The loading of persisted states.
            case load
        }

        /// The number of the run. It is unique within its store, and later runs have higher numbers.
        public let id: UInt64

        /// The kind of work.
        public let kind: Kind

        /// The type of the saga, flow, or watcher. For the body of a timeout, this is the type of the enclosing run;
        /// for a save or a load, that of the state.
        public let saga: Any.Type

        /// The action that triggered the run; nil for a watcher, a save, a load, and the body of a timeout.
        public let trigger: (any Action)?

        /// The number of the action that triggered the run; nil for a watcher, a save, and a load. For the body of a
        /// timeout, it is that of the enclosing run.
        public let triggerSequence: UInt64?

        /// The line that dispatched, sent, or performed the trigger, or that registered the watcher or the saved state.
        public let callSite: CallSite

        /// The instance in which the saga, flow, or watcher is registered; nil for the root.
        public let scope: Scope?

        /// When the run started, on the store's clock, since the store was created.
        ///
        /// Set only in the records that observers get in `runStarted` and `runEnded`. Nil even there if the run has not
        /// started.
        public internal(set) var startTime: Duration?

        /// When the run ended, on the store's clock, since the store was created.
        ///
        /// Nil except in the records that observers get in `runEnded`.
        public internal(set) var endTime: Duration?

        init(
            id: UInt64, kind: Kind, saga: Any.Type, trigger: (any Action)?, triggerSequence: UInt64? = nil,
            callSite: CallSite, scope: Scope? = nil
        ) {
            self.id = id
            self.kind = kind
            self.saga = saga
            self.trigger = trigger
            self.triggerSequence = triggerSequence
            self.callSite = callSite
            self.scope = scope
        }

        /// The run as text, such as `Notes.Saga #4` or, in an instance, `Chat.Saga #7 in Chat.Module["c1"]`.
        public var description: String {
            let name = "\(shortName(of: saga)) #\(id)" + (scope.map { " in \($0)" } ?? "")
            return switch kind {
            case .saga, .flow, .watcher: name
            case .timeout: "timeout in \(name)"
            case .save: "save of \(name)"
            case .load: "load of \(name)"
            }
        }

        /// Returns whether both records are about the same run of the same saga.
        public static func == (lhs: RunRecord, rhs: RunRecord) -> Bool {
            lhs.id == rhs.id && lhs.saga == rhs.saga
        }

        /// Hashes the id.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(id)
        }
    }
}

extension Relux {
    /// An error that a run threw, and that neither a caller of `perform` nor the saga's `actionOnFailure` received.
    public struct FailureRecord: Sendable, CustomStringConvertible {
        /// The error. Never a `CancellationError`.
        public let error: any Error

        /// The run that threw the error.
        public let run: RunRecord

        /// When the run ended: the time on the store's clock since the store was created.
        public let time: Duration

        /// The run, the line that triggered it, and the error.
        public var description: String { "\(run), triggered at \(run.callSite), failed: \(error)" }
    }
}
