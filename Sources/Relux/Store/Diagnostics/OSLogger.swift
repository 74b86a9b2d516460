#if canImport(os)
    import os

    extension Relux {
        /// An observer that writes to the unified log of Apple systems.
        ///
        /// The lines are those of ``ConsoleLogger`` with ``ConsoleLogger/Detail/full``, and are logged as public. Wrap
        /// values that must not appear in them in ``Redacted``.
        public struct OSLogger: StoreObserver {
            private let lines: ConsoleLogger

            /// Creates an observer that writes to a logger of the system.
            public init(_ logger: Logger = Logger(subsystem: "relux", category: "store")) {
                lines = ConsoleLogger(.full) { line in logger.debug("\(line.dropLast(), privacy: .public)") }
            }

            /// Writes the number, time, type, value, call site, instance and cause of an action.
            public func actionReduced(_ record: ActionRecord, leaving states: borrowing StateReader) {
                lines.actionReduced(record, leaving: states)
            }

            /// Writes that a run has started.
            public func runStarted(_ run: RunRecord) { lines.runStarted(run) }

            /// Writes how a run ended, and the error that it threw after it had been cancelled or superseded.
            public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
                lines.runEnded(run, outcome, lateError: lateError)
            }

            /// Writes that a save failed.
            public func failureUnreceived(of run: RunRecord, _ error: any Error) {
                lines.failureUnreceived(of: run, error)
            }

            /// Writes what was refused and why.
            public func refused(_ refusal: Refusal) { lines.refused(refusal) }

            /// Writes that a module was registered, and in which instance.
            public func moduleRegistered(
                _ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader
            ) {
                lines.moduleRegistered(module, in: scope, leaving: states)
            }

            /// Writes that a module was replaced, and in which instance.
            public func moduleReplaced(
                _ module: any Module.Type, in scope: Scope?, leaving states: borrowing StateReader
            ) {
                lines.moduleReplaced(module, in: scope, leaving: states)
            }

            /// Writes that a module was unregistered, and in which instance.
            public func moduleUnregistered(_ module: any Module.Type, in scope: Scope?) {
                lines.moduleUnregistered(module, in: scope)
            }

            /// Writes which states were reset to their initial values.
            public func statesReset(_ types: [any State.Type], leaving states: borrowing StateReader) {
                lines.statesReset(types, leaving: states)
            }
        }
    }
#endif
