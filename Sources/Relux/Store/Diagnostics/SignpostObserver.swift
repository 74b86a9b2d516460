#if canImport(os)
    import os

    extension Relux {
        /// An observer that draws an interval for each run, and a point for each action, in Instruments.
        ///
        /// Names are logged as public, and payloads are left out. Use one observer for each store, because the numbers
        /// of runs are unique only within a store.
        ///
        /// - Isolation: It calls the system inside the store. That is quick, and almost free while nothing records.
        public final class SignpostObserver: StoreObserver {
            private let signposter: OSSignposter
            /// The intervals of the runs that have started, by their numbers.
            private let intervals = Lock<[UInt64: OSSignpostIntervalState]>([:])

            /// Creates an observer that draws with a signposter of the system.
            public init(_ signposter: OSSignposter = OSSignposter(subsystem: "relux", category: "store")) {
                self.signposter = signposter
            }

            /// Draws a point.
            public func actionReduced(_ record: ActionRecord, leaving _: borrowing StateReader) {
                guard signposter.isEnabled else { return }
                let name = shortName(of: type(of: record.action))
                signposter.emitEvent("Action", "#\(record.sequence) \(name, privacy: .public)")
            }

            /// Begins an interval.
            public func runStarted(_ run: RunRecord) {
                guard signposter.isEnabled else { return }
                let name = run.description
                intervals.withLock { intervals in
                    intervals[run.id] = signposter.beginInterval(
                        "Run", id: signposter.makeSignpostID(), "\(name, privacy: .public)")
                }
            }

            /// Ends the interval of the run, if it began while something recorded.
            public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
                let word =
                    switch outcome {
                    case .failed(let error): "failed: \(shortName(of: type(of: error)))"
                    default: outcome.description
                    }
                intervals.withLock { intervals in
                    guard let interval = intervals.removeValue(forKey: run.id) else { return }
                    signposter.endInterval("Run", interval, "\(word, privacy: .public)")
                }
            }
        }
    }
#endif
