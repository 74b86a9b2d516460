import Relux

extension Relux {
    /// An observer for production that keeps the last events without payloads, for a crash reporter or a log.
    ///
    /// For each action, it keeps the type and case, the call site, the cause, and the time. For each run, it keeps the
    /// saga and the outcome. The values of actions, states, and errors are neither kept nor shown.
    ///
    /// ```swift
    /// let recorder = Relux.FlightRecorder(capacity: 500)
    /// let store = try await Relux.Store(.init(observers: [recorder])) { … }
    /// crashReporter.attachment = { recorder.lines(last: 100) }
    /// ```
    ///
    /// - Isolation: ``lines(last:)`` can be called from anywhere.
    /// - Ordering: The events are in the order in which they happened. If several stores share a recorder, their events
    ///   are in one list.
    /// - Lifetime: It keeps no store, state, or run alive.
    /// - Complexity: O(1) for each event, without an allocation once it is full. Texts are made by ``lines(last:)``.
    public final class FlightRecorder: StoreObserver {
        private let events: Lock<Ring<FlightEvent>>

        /// Creates a recorder.
        ///
        /// - Parameter capacity: The number of events that are kept, at least 1.
        public init(capacity: Int = 1_000) {
            events = Lock(Ring(capacity: capacity))
        }

        /// The last events as text, one line each, the oldest first.
        ///
        /// - Parameter count: The largest number of lines.
        /// - Complexity: O(n) in the capacity.
        public func lines(last count: Int = .max) -> [String] {
            let events = events.withLock { $0.inOrder }
            return events.suffix(max(count, 0)).map(\.line)
        }

        private func note(_ what: FlightEvent.What, at time: Duration? = nil) {
            events.withLock { _ = $0.append(FlightEvent(time: time ?? $0.last?.time ?? .zero, what: what)) }
        }

        /// Keeps the type and case of an action, where it came from, and when it was reduced.
        public func actionReduced(_ record: ActionRecord, leaving _: borrowing StateReader) {
            let action = FlightEvent.Action(
                sequence: record.sequence, type: type(of: record.action), caseName: caseName(of: record.action),
                callSite: record.callSite, cause: record.cause.map { ($0.saga, $0.id) }, follows: record.follows
            )
            note(.action(action), at: record.time)
        }

        /// Keeps the start of a run.
        public func runStarted(_ run: RunRecord) {
            note(.started(FlightEvent.Run(run), by: run.triggerSequence), at: run.startTime ?? .zero)
        }

        /// Keeps how a run ended, with the type of its error.
        public func runEnded(_ run: RunRecord, _ outcome: RunOutcome, lateError: (any Error)?) {
            note(.ended(FlightEvent.Run(run), FlightEvent.Outcome(outcome)), at: run.endTime ?? .zero)
        }

        /// Keeps that a save failed, with the type of its error. Its time is that of the event before it.
        public func failureUnreceived(of run: RunRecord, _ error: any Error) {
            guard run.kind == .save else { return }
            note(.ended(FlightEvent.Run(run), .failed(type(of: error), caseName(of: error))))
        }

        /// Keeps what was refused, and why.
        public func refused(_ refusal: Refusal) {
            let reason = caseName(of: refusal.reason)
            note(.refused(reason, refusal.action.map { type(of: $0) }, refusal.callSite), at: refusal.time)
        }
    }
}

/// An event without payloads.
struct FlightEvent: Sendable {
    struct Action: Sendable {
        let sequence: UInt64
        let type: any Relux.Action.Type
        let caseName: CaseName?
        let callSite: Relux.CallSite
        let cause: (saga: Any.Type, id: UInt64)?
        let follows: UInt64?
    }

    struct Run: Sendable {
        let kind: Relux.RunRecord.Kind
        let saga: Any.Type
        let id: UInt64

        init(_ run: Relux.RunRecord) { (kind, saga, id) = (run.kind, run.saga, run.id) }

        var text: String {
            let name = "\(shortName(of: saga)) #\(id)"
            return switch kind {
            case .timeout: "timeout in \(name)"
            case .save: "save of \(name)"
            default: name
            }
        }
    }

    enum Outcome: Sendable {
        case finished, cancelled, superseded, dropped
        case failed(any Error.Type, CaseName?)

        init(_ outcome: Relux.RunOutcome) {
            switch outcome {
            case .finished: self = .finished
            case .cancelled: self = .cancelled
            case .superseded: self = .superseded
            case .dropped: self = .dropped
            case .failed(let error): self = .failed(type(of: error), caseName(of: error))
            }
        }

        var text: String {
            guard case .failed(let type, let name) = self else { return "\(self)" }
            return "failed: \(shortName(of: type))\(name.map { ".\($0.text)" } ?? "")"
        }
    }

    enum What: Sendable {
        case action(Action)
        case started(Run, by: UInt64?)
        case ended(Run, Outcome)
        case refused(CaseName?, (any Relux.Action.Type)?, Relux.CallSite?)
    }

    let time: Duration
    let what: What

    var line: String {
        switch what {
        case .action(let action):
            let name = shortName(of: action.type) + (action.caseName.map { ".\($0.text)" } ?? "")
            let cause = action.cause.map { " from \(shortName(of: $0.saga)) #\($0.id)" }
            let follows = action.follows.map { " after #\($0)" }
            return "\(time.decimalText) #\(action.sequence) \(name) (\(action.callSite))\(follows ?? cause ?? "")"
        case .started(let run, let trigger):
            return "\(time.decimalText) \(run.text) started" + (trigger.map { " by #\($0)" } ?? "")
        case .ended(let run, let outcome): return "\(time.decimalText) \(run.text) \(outcome.text)"
        case .refused(let reason, let action, let site):
            let name = action.map { " \(shortName(of: $0))" } ?? ""
            return "\(time.decimalText) refused\(name): \(reason?.text ?? "unknown")" + (site.map { " (\($0))" } ?? "")
        }
    }
}
