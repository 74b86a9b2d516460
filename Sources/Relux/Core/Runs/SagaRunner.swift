/// One registered saga, flow, or watcher, with its runs. Everything but its work is called inside the store.
///
/// - Isolation: The core's.
final class SagaRunner {
    /// Unique in the store.
    let id: UInt64
    let kind: Relux.RunRecord.Kind
    /// The type of the saga, flow, or watcher.
    let saga: Any.Type
    /// The saga or flow; nil for a watcher, which takes no actions.
    private let handler: (any Relux.Handler)?
    /// The type of the value that a run returns; nil for a saga, whose runs return none.
    private let output: Any.Type?
    /// The types of actions that its runs listen to from their triggers on.
    let listens: [any Relux.Action.Type]
    let work: Run.Work

    // The table of runs changes the rest.

    /// The triggers that have not ended, and the runs whose own triggers were withdrawn, which go on for others.
    var triggers = RunSet()
    /// Those of them whose policies have an id.
    var triggersByID: [AnySendableHashable: RunSet] = [:]
    /// The lane of the triggers whose policies have no id and name no lane.
    private(set) lazy var lane = RunLane()

    convenience init<S: Relux.Saga>(_ saga: S, id: UInt64) {
        self.init(id, .saga, S.self, saga, listeningTo: saga.listens) { run in
            if let trigger = run.trigger as? S.Trigger { try await saga.run(trigger, in: run.context) }
            // A flow without a value may have joined the run.
            return ()
        }
    }

    convenience init<F: Relux.Flow>(_ flow: F, id: UInt64) {
        self.init(id, .flow, F.self, flow, output: F.Trigger.Output.self, listeningTo: flow.listens) { run in
            guard let trigger = run.trigger as? F.Trigger else { return nil }
            return try await flow.run(trigger, in: run.context)
        }
    }

    /// A watcher, each of whose runs begins after the previous one has ended.
    convenience init(_ watcher: any Relux.Watcher, id: UInt64) {
        self.init(id, .watcher, type(of: watcher), listeningTo: watcher.listens) { run in
            try await watcher.watch(in: run.context)
            return nil
        }
    }

    private init(
        _ id: UInt64, _ kind: Relux.RunRecord.Kind, _ saga: Any.Type, _ handler: (any Relux.Handler)? = nil,
        output: Any.Type? = nil, listeningTo listens: [any Relux.Action.Type], work: @escaping Run.Work
    ) {
        (self.id, self.kind, self.handler, self.output) = (id, kind, handler, output)
        (self.listens, self.work) = (listens, work)
        self.saga = (saga as? any HandlerWrapper.Type)?.original ?? saga
    }

    /// The type of the actions that it takes; nil if it takes none.
    var trigger: (any Relux.Action.Type)? { handler?.trigger }

    /// The policy for a trigger. Its route passes only triggers of its type.
    func policy(for trigger: any Relux.Action) -> Relux.Policy { handler?.policy(forAny: trigger) ?? .concurrent }

    /// The action that accompanies something that has become of a trigger.
    func action(on event: RunEvent, of trigger: any Relux.Action) -> (any Relux.Action)? {
        handler?.action(on: event, ofAny: trigger)
    }

    var isFlow: Bool { kind == .flow }

    /// Whether the result of this runner's run can be that of a trigger of another one.
    func canShareResult(with other: SagaRunner?) -> Bool {
        other.map { !$0.isFlow || $0.output == output ?? Void.self } ?? false
    }
}

/// An event in the life of a trigger, which its saga may accompany with an action.
enum RunEvent {
    case started
    /// Its policy decided that it never starts.
    case dropped
    case failed(any Error)
    case cancelled

    /// The end of a body that nothing has halted; nil if it has finished.
    init?(_ outcome: Relux.RunOutcome) {
        switch outcome {
        case .finished: return nil
        case .failed(let error): self = .failed(error)
        case .cancelled: self = .cancelled
        case .superseded: self = .failed(Relux.EffectError.superseded)
        case .dropped: self = .failed(Relux.EffectError.dropped)
        }
    }
}

extension Relux.Handler {
    fileprivate func policy(forAny trigger: any Relux.Action) -> Relux.Policy {
        (trigger as? Trigger).map { policy(for: $0) } ?? .concurrent
    }

    fileprivate func action(on event: RunEvent, ofAny trigger: any Relux.Action) -> (any Relux.Action)? {
        guard let trigger = trigger as? Trigger else { return nil }
        return switch event {
        case .started: actionOnStart(trigger)
        case .dropped: actionOnDrop(trigger)
        case .failed(let error): actionOnFailure(trigger, error)
        case .cancelled: actionOnCancel(trigger)
        }
    }
}
