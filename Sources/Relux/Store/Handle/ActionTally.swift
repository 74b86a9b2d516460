/// How several actions, and what they triggered, have ended so far.
struct ActionTally {
    private var failures: [any Error] = []
    var wasCancelled = false

    init() {}

    init(_ disposition: Receipt.Disposition) {
        add(disposition)
    }

    var result: Relux.ActionResult {
        if !failures.isEmpty { return .failure(failures) }
        return wasCancelled ? .cancelled : .success
    }

    /// Adds what became of an action itself.
    mutating func add(_ disposition: Receipt.Disposition) {
        switch disposition {
        case .reduced: break
        case .unhandled: failures.append(Relux.EffectError.unhandled)
        case .noInstance(let scope): failures.append(Relux.EffectError.noInstance(scope))
        case .storeShutDown: failures.append(Relux.EffectError.storeShutDown)
        case .dropped, .refused, .insideStore: wasCancelled = true
        }
    }

    /// Adds the end of what an action triggered.
    mutating func add(_ waited: Group.Waited?) {
        switch waited {
        case nil:
            break
        case .ended(let summary):
            failures.append(contentsOf: summary.failures)
            if summary.wasCutShort { wasCancelled = true }
        case .cancelled:
            wasCancelled = true
        case .never(let error):
            failures.append(error)
        }
    }
}
