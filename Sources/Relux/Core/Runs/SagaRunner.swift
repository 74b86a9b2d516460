/// One registered saga, flow, or watcher, with its runs. Everything but its work is called inside the store.
///
/// - Isolation: The core's.
final class SagaRunner {
    /// Unique in the store; 0 for the body of a timeout.
    let id: UInt64
    let kind: Relux.RunRecord.Kind
    /// The type of the saga, flow, or watcher; for a timeout, that of the run around it.
    let saga: Any.Type
    /// The type of the actions that it takes; nil if it takes none.
    let trigger: (any Relux.Action.Type)?
    /// The type of the value that a run returns; nil for a saga, whose runs return none.
    private let output: Any.Type?
    /// The types of actions that its runs listen to from their triggers on.
    let listens: [any Relux.Action.Type]
    /// The policy for a trigger. Its route passes only triggers of its type.
    let policy: (any Relux.Action) -> Relux.Policy
    /// The action that accompanies something that has become of a trigger.
    let accompany: (RunEvent, any Relux.Action) -> (any Relux.Action)?
    /// Does the work of a run, in its task. Returns the output of an effect; nil if the run answers none.
    let work: @Sendable (Run) async throws -> (any Sendable)?

    // The table of runs changes the rest.

    /// The triggers that have not ended, and the runs whose own triggers were withdrawn, which go on for others.
    var triggers = RunSet()
    /// Those of them whose policies have an id.
    var triggersByID: [AnySendableHashable: RunSet] = [:]
    /// The lane of the triggers whose policies have no id and name no lane.
    private(set) lazy var lane = RunLane()

    convenience init<S: Relux.Saga>(_ saga: S, id: UInt64) {
        self.init(saga, id, .saga, output: nil) { run in
            if let trigger = run.trigger as? S.Trigger { try await saga.run(trigger, in: run.context) }
            // A flow without a value may have joined the run.
            return ()
        }
    }

    convenience init<F: Relux.Flow>(_ flow: F, id: UInt64) {
        self.init(flow, id, .flow, output: F.Trigger.Output.self) { run in
            guard let trigger = run.trigger as? F.Trigger else { return nil }
            return try await flow.run(trigger, in: run.context)
        }
    }

    private convenience init<H: Relux.Handler>(
        _ handler: H, _ id: UInt64, _ kind: Relux.RunRecord.Kind, output: Any.Type?,
        work: @escaping @Sendable (Run) async throws -> (any Sendable)?
    ) {
        self.init(
            id, kind, (H.self as? any HandlerWrapper.Type)?.original ?? H.self, takes: H.Trigger.self, output: output,
            listeningTo: handler.listens,
            policy: { ($0 as? H.Trigger).map { handler.policy(for: $0) } ?? .concurrent },
            accompany: { event, trigger in
                guard let trigger = trigger as? H.Trigger else { return nil }
                return switch event {
                case .started: handler.actionOnStart(trigger)
                case .dropped: handler.actionOnDrop(trigger)
                case .failed(let error): handler.actionOnFailure(trigger, error)
                case .cancelled: handler.actionOnCancel(trigger)
                }
            },
            work: work
        )
    }

    /// A watcher, each of whose runs begins after the previous one has ended.
    convenience init(_ watcher: any Relux.Watcher, id: UInt64) {
        self.init(id, .watcher, type(of: watcher), listeningTo: watcher.listens) { run in
            try await watcher.watch(in: run.context)
            return nil
        }
    }

    /// The body of a timeout in a run.
    convenience init(timeoutIn run: Run, _ body: @escaping @Sendable (Run) async throws -> any Sendable) {
        self.init(0, .timeout, run.saga, work: body)
    }

    private init(
        _ id: UInt64, _ kind: Relux.RunRecord.Kind, _ saga: Any.Type, takes trigger: (any Relux.Action.Type)? = nil,
        output: Any.Type? = nil, listeningTo listens: [any Relux.Action.Type] = [],
        policy: @escaping (any Relux.Action) -> Relux.Policy = { _ in .serial },
        accompany: @escaping (RunEvent, any Relux.Action) -> (any Relux.Action)? = { _, _ in nil },
        work: @escaping @Sendable (Run) async throws -> (any Sendable)?
    ) {
        (self.id, self.kind, self.saga, self.trigger, self.output) = (id, kind, saga, trigger, output)
        (self.listens, self.policy, self.accompany, self.work) = (listens, policy, accompany, work)
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
