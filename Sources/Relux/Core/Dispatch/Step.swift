/// One step: the actions that a caller delivers together, how they arrive, and what has become of them so far.
///
/// A single action, a batch, an action from the mailbox, and the cleanup after a cancelled run are all steps. What
/// rules add belongs to the step of the action that it follows.
struct Step: ~Copyable {
    let origin: Origin
    /// Where the caller's actions are taken; nil if they are refused.
    let scope: ScopeNode?
    let site: Relux.CallSite
    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type?
    /// Whether the caller awaits what the actions trigger, although it doesn't perform them.
    var isAwaited = false
    /// The cancelled run after which this step of the store's own cleans up.
    var cause: RunHandle?
    /// The number of the action that is being published.
    var published: UInt64?

    var receipt = Receipt()
    /// What rules have added and has yet to be taken, the next one last.
    var added: [Core.Added] = []
    /// How many of these have been taken.
    var additions = 0
    /// The number of the action that the present one follows by a rule; nil if the caller has listed it.
    var follows: UInt64?
    /// The actions whose reducers have run, and that concern more than reducers.
    var reductions: [Reduction] = []
    /// The routes of actions that have changed what a reader waits for.
    var routesToWake: [Route] = []
    /// Whose failure the awaiter of the triggered runs receives.
    var answer = GroupSummary.Answer.nobody
    /// Why a performed effect has no output, although runs were triggered.
    var missingOutput: Relux.EffectError?

    /// Whether the present action is one that the caller performs.
    var isPerforming: Bool { output != nil && follows == nil }

    /// Notes what became of the present action. What rules add doesn't count.
    mutating func note(_ disposition: Receipt.Disposition) {
        if follows == nil { receipt.note(disposition) }
    }

    /// The group of what is triggered, opened with the first run.
    mutating func openGroup(in core: isolated Core) -> Completion {
        if let open = receipt.completion { return open }
        let completion = core.runs.openGroup(answer: answer, core)
        receipt.completion = completion
        return completion
    }
}

/// An action whose reducers have run, and that concerns more than reducers.
///
/// A class, so that it isn't copied when it is passed on.
final class Reduction {
    let number: UInt64
    /// The number of the action that this one follows by a rule; nil if the caller has listed it.
    let follows: UInt64?
    /// What the scope makes of it that takes it.
    let taken: Taken
    /// What it is to others: to listeners, and to the scopes around an instance, from the inside out.
    let others: [Taken]

    init(number: UInt64, follows: UInt64?, _ taken: Taken, _ others: [Taken]) {
        (self.number, self.follows, self.taken, self.others) = (number, follows, taken, others)
    }

    /// Whether sagas take it anywhere.
    var hasRunners: Bool { taken.hasRunners || others.contains { $0.hasRunners } }

    /// The states whose reducers have run.
    var states: [any Relux.State.Type] {
        let own = taken.route?.states ?? []
        return others.isEmpty ? own : own + others.flatMap { $0.route?.states ?? [] }
    }

    func forEach(_ body: (Taken) -> Void) {
        body(taken)
        for other in others { body(other) }
    }
}

/// An action as one scope takes it, with the route that was looked up.
struct Taken {
    let action: any Relux.Action
    let scope: ScopeNode
    /// Nil if nothing takes the action in the scope.
    let route: Route?
    /// What the states that it has changed concern.
    let concerns: Concerns

    var hasRunners: Bool { route?.runners.isEmpty == false }

    /// Starts the sagas that take it.
    func startSagas(in core: isolated Core, _ step: inout Step) {
        // The step may have closed the scope.
        guard scope.isOpen, let route, hasRunners else { return }
        for runner in route.runners { core.start(runner, on: action, in: scope, &step) }
    }
}
