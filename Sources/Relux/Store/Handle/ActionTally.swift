/// How several actions, and what they triggered, have ended so far.
struct ActionTally {
    private var failures: [any Error] = []
    var wasCancelled = false

    init() {}

    init(_ refusal: Relux.EffectError?) {
        add(refusal)
    }

    var result: Relux.ActionResult {
        if !failures.isEmpty { return .failure(failures) }
        return wasCancelled ? .cancelled : .success
    }

    /// Adds what became of an action itself.
    ///
    /// - Parameter refusal: Nil if it was handled.
    mutating func add(_ refusal: Relux.EffectError?) {
        switch refusal {
        case nil: break
        case .cancelled, .dropped: wasCancelled = true
        case let error?: failures.append(error)
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
