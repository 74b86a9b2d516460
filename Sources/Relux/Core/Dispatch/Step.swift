/// One step: the actions that a caller delivers together, how they arrive, and what has become of them so far.
///
/// A single action, a batch, an action from the mailbox, and the cleanup after a cancelled run are all steps. What
/// rules add belongs to the step of the action that it follows.
struct Step: ~Copyable {
    /// Where the caller's actions are taken.
    enum Target {
        case scope(ScopeNode)
        // Indirect: it is rare, and would make every step larger.
        indirect case refused(Relux.Refusal.Reason)
    }

    /// The verb that makes the step.
    enum Purpose {
        case dispatching
        /// The caller awaits what the actions trigger, although it doesn't perform them.
        case awaiting
        /// The caller performs the action, whose output this is.
        case performing(output: Any.Type)
        /// The caller's run ends in the step.
        case finishing
        /// The store itself accompanies something that has become of a run, or resets on its behalf.
        case accompanying(Run)
    }

    let target: Target
    /// The run on whose behalf it is made, or 0.
    let run: RunID
    /// The run whose task makes it, or 0.
    let waiter: RunID
    let site: Relux.CallSite
    let purpose: Purpose

    var receipt = Receipt()
    /// The actions whose reducers have run, and that concern more than reducers.
    var reductions: [Reduction] = []
    /// The last action, as long as instances have to follow it, or its rules to decide.
    var open: Reduction?
    /// Actions that rules have added and that have yet to be taken, the next one last.
    var added: [AddedAction] = []
    /// How many of these have been taken.
    var additions = 0
    /// The number of the action that the present one follows by a rule; nil if the caller has listed it.
    var follows: UInt64?
    /// Whose failure the awaiter of the triggered runs receives.
    var answer = GroupSummary.Answer.nobody
    /// Why a performed effect has no output, although runs were triggered.
    var missingOutput: Relux.EffectError?

    init(by caller: Caller, in target: Target, at site: Relux.CallSite, for purpose: Purpose) {
        (self.target, run, waiter) = (target, caller.run, caller.waiter)
        (self.site, self.purpose) = (site, purpose)
    }

    /// Whether the step ends the caller's run.
    var finishesRun: Bool { if case .finishing = purpose, case .scope = target { true } else { false } }

    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type? { if case .performing(let output) = purpose { output } else { nil } }

    /// Whether the present action is one that the caller performs.
    var isPerforming: Bool { follows == nil && output != nil }

    /// Whether instances have to follow, rules have to decide, or added actions have to be taken.
    var isUnfinished: Bool { open != nil || !added.isEmpty }

    /// Adds the opening actions of modules that an action has connected.
    mutating func add(_ openings: [Opening], openedBy opener: Reduction) {
        for opening in openings.reversed() {
            let counts = follows != nil
            added.append(
                AddedAction(action: opening.action, follows: opener.number, scopes: [opening.scope], counts: counts))
        }
    }

    /// Notes what became of the present action. What rules add doesn't count.
    mutating func note(_ refusal: Relux.EffectError) {
        if follows == nil { receipt.note(refusal) }
    }
}

/// An opening action of a module that was connected.
struct Opening {
    let action: any Relux.Action
    /// The scope of the module.
    let scope: ScopeNode
    let site: Relux.CallSite
}

/// An action that a rule has added to a step.
struct AddedAction {
    let action: any Relux.Action
    /// The number of the action that the rule was for.
    let follows: UInt64
    /// Where it is looked up: the scope of the rule and those around it, from the inside out.
    let scopes: [ScopeNode]
    /// Whether it counts towards the limit of a step. What opens the instances that a caller's action has asked for
    /// doesn't.
    var counts = true
}

/// An action whose reducers have run, and that concerns more than reducers.
///
/// A class, so that it isn't copied when it is passed on.
final class Reduction {
    let number: UInt64
    /// The number of the action that this one follows by a rule; nil if the caller has listed it.
    let follows: UInt64?
    /// The action as the scope has it that takes it.
    let taken: Taken
    /// What the runs that the action triggers listen to, until they start.
    var inboxes: [ObjectIdentifier: WatcherInbox] = [:]
    /// The action as listeners and the scopes around an instance have it, these from the inside out.
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

    /// The changed states that someone is concerned by before their readers are.
    func states(concerning concern: Concerns) -> [AnyStateCell] {
        var found: [AnyStateCell] = []
        forEach { taken in
            if taken.concerns.contains(concern), let route = taken.route {
                found += route.states { $0.concerns.contains(concern) }
            }
        }
        return found
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
    /// Who is concerned by the states that it has changed.
    let concerns: Concerns

    var hasRunners: Bool { route?.runners.isEmpty == false }
}
