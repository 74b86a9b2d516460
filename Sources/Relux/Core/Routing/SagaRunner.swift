/// One registered saga or flow.
final class AnySagaRunner: Sendable {
    let id: SagaID
    /// The type of the saga or flow.
    let saga: Any.Type
    let isFlow: Bool
    /// The type of the value that a run returns: a flow's output, otherwise `Void`.
    private let output: Any.Type

    /// The `actionOnCancel` of the saga for a trigger of its type. Called inside the store.
    let actionOnCancel: @Sendable (_ trigger: any Relux.Action) -> (any Relux.Action)?

    private let typed: any AnyObject & Sendable

    fileprivate init<A: Relux.Action>(
        _ typed: SagaRunner<A>, id: SagaID, saga: Any.Type, isFlow: Bool, output: Any.Type,
        actionOnCancel: @escaping @Sendable (A) -> (any Relux.Action)?
    ) {
        self.typed = typed
        self.id = id
        self.saga = saga
        self.isFlow = isFlow
        self.output = output
        self.actionOnCancel = { trigger in (trigger as? A).flatMap { actionOnCancel($0) } }
    }

    /// The runner with its type. The caller must have found it on the route of that type.
    @inline(__always)
    func runner<A: Relux.Action>(for action: A.Type) -> SagaRunner<A> {
        // unsafeDowncast: a route takes only runners of its own type, and `init` stores a runner of that type.
        unsafeDowncast(typed, to: SagaRunner<A>.self)
    }

    /// Whether the result of this runner's run can be that of a trigger of another one.
    func canShareResult(with other: AnySagaRunner?) -> Bool {
        other.map { !$0.isFlow || $0.output == output } ?? false
    }

    static func saga<S: Relux.Saga>(_ saga: S, id: SagaID) -> AnySagaRunner {
        let typed = SagaRunner<S.Trigger> {
            saga.policy(for: $0)
        } work: { trigger, run in
            try await saga.run(trigger, in: run.context)
        }
        return AnySagaRunner(typed, id: id, saga: S.self, isFlow: false, output: Void.self) { saga.actionOnCancel($0) }
    }

    static func flow<F: Relux.Flow>(_ flow: F, id: SagaID) -> AnySagaRunner {
        let typed = SagaRunner<F.Trigger> {
            flow.policy(for: $0)
        } work: { trigger, run in
            try await flow.run(trigger, in: run.context)
        }
        return AnySagaRunner(typed, id: id, saga: F.self, isFlow: true, output: F.Trigger.Output.self) {
            flow.actionOnCancel($0)
        }
    }
}

/// The policy and the body of one registered saga or flow.
final class SagaRunner<A: Relux.Action>: Sendable {
    typealias Work = nonisolated(nonsending) @Sendable (A, RunHandle) async throws -> any Sendable

    /// Called inside the store.
    let policy: @Sendable (A) -> Relux.Policy
    private let work: Work

    init(policy: @escaping @Sendable (A) -> Relux.Policy, work: @escaping Work) {
        self.policy = policy
        self.work = work
    }

    /// Creates the task of a run. Called inside the store.
    func launch(_ run: RunHandle, for trigger: A, _ start: RunStart, in core: isolated Core) {
        core.launch(run) { [work] in
            await run.execute(start) { try await work(trigger, run) }
        }
    }

    /// Starts a run on the caller's thread. Returns when the run suspends or has ended.
    ///
    /// Called outside the store by the task that performs the trigger, which has nothing else to do in the meantime.
    func startInline(_ run: RunHandle, for trigger: A) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            Task { [work] in await run.execute(.immediately) { try await work(trigger, run) } }
            return
        }
        // `async throws` although nothing is thrown: a closure that can throw needs no wrapper.
        Task.immediate { [work] () async throws in
            run.attach()
            let result: RunResult
            do {
                result = .finished(try await CurrentRun.$handle.withValue(run) { try await work(trigger, run) })
            } catch {
                result = RunResult(thrown: error)
            }
            await run.end(result)
        }
    }
}
