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
    /// The last one of these, as long as instances have to follow it, or its rules to decide.
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

    /// Whether the step ends the caller's run.
    var finishesRun: Bool { if case .finishing = purpose, case .scope = target { true } else { false } }

    /// The output that `perform` promises; nil for all other verbs.
    var output: Any.Type? { if case .performing(let output) = purpose { output } else { nil } }

    /// The run whose task awaits what the step triggers, or 0.
    var awaiter: RunID {
        switch purpose {
        case .awaiting, .performing: waiter
        case .dispatching, .finishing, .accompanying: 0
        }
    }

    /// Whether the present action is one that the caller performs.
    var isPerforming: Bool { follows == nil && output != nil }

    /// Whether instances have to follow, rules have to decide, or added actions have to be taken.
    var isUnfinished: Bool { open != nil || !added.isEmpty }

    /// Adds the opening actions of modules that an action has connected.
    mutating func add(_ openings: [Opening], openedBy opener: Reduction) {
        let counts = follows != nil
        added += openings.reversed().map { opening in
            AddedAction(action: opening.action, follows: opener.number, scopes: [opening.scope], counts: counts)
        }
    }

    /// Notes what became of the present action. What rules add doesn't count.
    mutating func note(_ refusal: Relux.EffectError) {
        guard follows == nil else { return }
        switch (receipt.refusal, refusal) {
        case (nil, _), (_, .noInstance), (_, .unhandled): receipt.refusal = refusal
        default: break
        }
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

/// An action that one scope has taken, and that concerns more than reducers.
///
/// An object, because it is passed on far more often than it is made.
final class Reduction {
    /// The action as the scope has it.
    let action: any Relux.Action
    let number: UInt64
    /// The number of the action that this one follows by a rule; nil if the caller has listed it.
    let follows: UInt64?
    let scope: ScopeNode
    /// The route that was looked up; nil if nothing takes the action in the scope.
    let route: Route?
    /// Whether a handler took it. The step may remove that.
    let isTaken: Bool
    /// Whether sagas of the scope took it, which the step may remove.
    let hadRunners: Bool
    /// The states that it has changed and whose changes concern instances or rules. The step may remove their reducers.
    let concerning: [AnyStateCell]
    /// The same where it isn't looked up: of listeners, and of the scopes around an instance, from the inside out.
    let others: [Reduction]
    /// The streams of the runs that the action triggers, until they start: for each saga, by types of actions.
    var kept: [ObjectIdentifier: [ObjectIdentifier: any AnyStreamBuffer]] = [:]

    init(
        of action: any Relux.Action, numbered number: UInt64, following follows: UInt64?, in scope: ScopeNode,
        on route: Route?, concerning concerns: Concerns, beside others: [Reduction] = []
    ) {
        (self.action, self.number, self.follows) = (action, number, follows)
        (self.scope, self.route, self.others) = (scope, route, others)
        isTaken = route?.isUnused == false || !others.isEmpty
        hadRunners = route?.runners.isEmpty == false
        concerning = concerns.isEmpty ? [] : route?.states { !$0.concerns.isEmpty } ?? []
    }

    /// This, and the others.
    var all: [Reduction] { [self] + others }

    /// The sagas of the scope that take it, unless the step has closed that.
    var runners: [SagaRunner] { scope.isOpen ? route?.runners ?? [] : [] }

    var hasRunners: Bool { hadRunners && !runners.isEmpty }

    /// Whether sagas take it in any of these scopes.
    var triggersAnything: Bool { hasRunners || others.contains(where: \.hasRunners) }

    /// Whether streams are kept for runs that have not started.
    var keepsAnything: Bool { !kept.isEmpty || others.contains { !$0.kept.isEmpty } }

    /// The states whose reducers have run, each once.
    var states: [Relux.ActionRecord.ReducedState] {
        others.reduce(into: route?.states ?? []) { states, other in
            states += (other.route?.states ?? []).filter { state in
                !states.contains { $0.type == state.type && $0.owner == state.owner }
            }
        }
    }
}
