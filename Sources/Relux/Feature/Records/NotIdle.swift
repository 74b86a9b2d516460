extension Relux {
    /// A store did not become idle in time, or can't become idle while this caller waits for it.
    public struct NotIdle: Error, CustomStringConvertible {
        /// Why the wait ended.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Reason: Sendable, Hashable {
            /// The time limit was reached.
            case limitReached(Duration)
            /// The waiting task was cancelled.
            case cancelled
            /// A run waited for the store to become idle, which can only happen after that run has ended. The number is
            /// that of the run.
            case calledFromRun(UInt64)
        }

        /// The activity of a busy run.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Phase: Sendable, Hashable {
            /// It waits for the delay of its debounce, the interval of its throttle, or, for a save, its pace.
            case pending
            /// It waits its turn.
            case queued
            /// It shares the run that it waits for.
            case joined
            /// It is running.
            case active
            /// It has finished with its last action, or was cancelled or superseded, but its task hasn't ended yet.
            case ending
        }

        /// A run that keeps the store from being idle.
        public struct BusyRun: Sendable, CustomStringConvertible {
            /// The run.
            public let run: RunRecord
            /// The activity of the run.
            public let phase: Phase
            /// The runs that this run waits for, as far as the store knows.
            public let waitsFor: [RunRecord]

            /// The run as text, such as
            /// `Notes.Saga #4 (active), triggered at App/Notes.swift:12, waits for Notes.Load #5`.
            public var description: String {
                let waits = waitsFor.isEmpty ? "" : ", waits for \(waitsFor.map(\.description).joined(separator: ", "))"
                return "\(run) (\(phase)), triggered at \(run.callSite)\(waits)"
            }
        }

        /// Why the wait ended.
        public let reason: Reason
        /// The runs that were still busy, in the order in which they were created, and then saves and loads. Watchers
        /// and runs in the background don't count.
        public let busy: [BusyRun]

        /// Why the wait ended, followed by one line for each busy run.
        public var description: String {
            let head =
                switch reason {
                case .limitReached(let limit): "The store wasn't idle within \(limit.decimalText)."
                case .cancelled: "The wait for the store to become idle was cancelled."
                case .calledFromRun(let run):
                    "Run #\(run) waited for the store to become idle, which can only happen after that run has ended."
                }
            return ([head] + busy.map { "  \($0)" }).joined(separator: "\n")
        }
    }
}
