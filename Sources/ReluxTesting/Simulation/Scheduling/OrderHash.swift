import Relux

/// Identifies an order of actions and runs by a number, within one process.
///
/// Times don't count. Two actions are the same if they have the same type and the same contents. Contents that aren't
/// hashable are compared by what reflection shows of them, up to a limit.
struct OrderHash {
    private(set) var value: UInt64 = 0

    init() {}

    /// Creates the hash of one event.
    init(of event: RecordingObserver.Event, of store: Int) {
        combine(UInt64(store))
        switch event {
        case .actionReduced(let record):
            combine(type(of: record.action))
            combine(contents: record.action)
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
        case .moduleRegistered(let module, _), .moduleShared(let module), .moduleReplaced(let module, _),
            .moduleUnregistered(let module, _):
            combine(module)
        case .statesReset: combine(8)
        case .failureUnreceived(let run, _):
            combine(run.id)
            combine(9)
        }
    }

    /// Adds what follows.
    mutating func add(_ later: OrderHash) {
        combine(later.value)
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

    /// The number of values inside an action that are examined. The limit also ends cycles of references.
    private static let contentLimit = 200

    private mutating func combine(contents value: Any) {
        var left = Self.contentLimit
        combine(contents: value, &left)
    }

    private mutating func combine(contents value: Any, _ left: inout Int) {
        guard left > 0 else { return }
        left -= 1
        if let value = value as? any Hashable { return combine(hashOf: value) }
        let mirror = Mirror(reflecting: value)
        // The name of an enum's case is all there is to see of a case without a payload.
        if mirror.children.isEmpty { return combine(hashOf: String(describing: value)) }
        for child in mirror.children {
            if let label = child.label { combine(hashOf: label) }
            combine(contents: child.value, &left)
        }
    }

    private mutating func combine(hashOf value: some Hashable) {
        combine(UInt64(bitPattern: Int64(value.hashValue)))
    }

    private mutating func combine(_ type: Any.Type) {
        combine(hashOf: ObjectIdentifier(type))
    }

    private mutating func combine(_ number: UInt64) {
        value = SplitMix64.number(at: value &+ SplitMix64.increment &+ number)
    }
}
