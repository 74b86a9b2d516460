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
