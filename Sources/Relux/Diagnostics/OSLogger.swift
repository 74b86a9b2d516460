#if canImport(os)
    import os

    extension Relux {
        /// An observer that writes to the unified log of Apple systems.
        ///
        /// The lines are those of ``ConsoleLogger``, marked public: values that must not be seen are wrapped in
        /// ``Redacted``.
        public struct OSLogger: StoreObserver {
            private let lines: ConsoleLogger

            /// Makes a logger.
            ///
            /// - Parameter logger: Where the lines go.
            public init(_ logger: Logger = Logger(subsystem: "relux", category: "store")) {
                lines = ConsoleLogger { line in logger.debug("\(line.dropLast(), privacy: .public)") }
            }

            /// Writes number, time, action, call site and cause.
            ///
            /// - Parameter record: The action.
            public func actionReduced(_ record: ActionRecord) { lines.actionReduced(record) }

            /// Writes that a run started.
            ///
            /// - Parameter run: The run.
            public func runStarted(_ run: RunRecord) { lines.runStarted(run) }

            /// Writes how a run ended.
            ///
            /// - Parameters:
            ///   - run: The run.
            ///   - outcome: How it ended.
            ///   - lateError: What it threw after it had been cancelled or superseded.
            public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
                lines.runEnded(run, outcome, lateError: lateError)
            }

            /// Writes what was refused, and why.
            ///
            /// - Parameter refusal: What, and why.
            public func refused(_ refusal: Refusal) { lines.refused(refusal) }

            /// Writes that a module came.
            ///
            /// - Parameter module: Its type.
            public func moduleRegistered(_ module: any Module.Type) { lines.moduleRegistered(module) }

            /// Writes that a module went.
            ///
            /// - Parameter module: Its type.
            public func moduleUnregistered(_ module: any Module.Type) { lines.moduleUnregistered(module) }

            /// Writes which states went back to their initial values.
            ///
            /// - Parameter states: Which ones.
            public func statesReset(_ states: [any State.Type]) { lines.statesReset(states) }
        }
    }
#endif
