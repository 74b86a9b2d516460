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
    ///
    /// - Parameter summary: Nil if it triggered nothing.
    mutating func add(_ summary: GroupSummary?) {
        guard let summary else { return }
        failures += summary.failures
        if summary.wasCutShort { wasCancelled = true }
        switch summary.refusal {
        case nil: break
        case .cancelled: wasCancelled = true
        case let refusal?: failures.append(refusal)
        }
    }
}
