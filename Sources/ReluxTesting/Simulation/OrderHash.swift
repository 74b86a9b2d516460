import Relux

/// Identifies an order of actions and runs by a number, within one process.
///
/// Times don't count. Two actions are the same if they have the same type and, if it is hashable, the same value.
struct OrderHash {
    private(set) var value: UInt64 = 0

    mutating func add(_ event: RecordingObserver.Event, of store: Int) {
        combine(UInt64(store))
        switch event {
        case .actionReduced(let record):
            combine(type(of: record.action))
            if let action = record.action as? any Hashable { combine(UInt64(bitPattern: Int64(action.hashValue))) }
            combine(record.cause?.id ?? 0)
        case .runStarted(let run):
            combine(run.id)
            combine(1)
        case .runEnded(let run, let outcome, _):
            combine(run.id)
            combine(Self.number(of: outcome))
        case .refused(let refusal):
            combine(7)
            if let action = refusal.action { combine(type(of: action)) }
        case .moduleRegistered(let module): combine(module)
        case .moduleUnregistered(let module): combine(module)
        case .statesReset: combine(8)
        }
    }

    private static func number(of outcome: Relux.RunOutcome) -> UInt64 {
        switch outcome {
        case .finished: 2
        case .failed: 3
        case .cancelled: 4
        case .superseded: 5
        case .dropped: 6
        }
    }

    private mutating func combine(_ type: Any.Type) {
        combine(UInt64(UInt(bitPattern: ObjectIdentifier(type).hashValue)))
    }

    private mutating func combine(_ number: UInt64) {
        value = SplitMix64.number(at: value &+ SplitMix64.increment &+ number)
    }
}
