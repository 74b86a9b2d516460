import Relux
import ReluxTesting
import TestFixtures
import Testing

/// What user code in a store brings in used to be attributed to whichever run's task happened to be inside, and was
/// refused if that run had been cancelled. An observer that answered one action by another lost some of its answers.
@Suite("Law 7: user code that a store executes acts on nobody's behalf", .timeLimit(.minutes(10)))
struct Law07UserCodeTests: Staged {
    let scene = Scene()

    /// Where user code is executed by a store.
    enum Place: CaseIterable, Sendable {
        case observer, taskOfAnObserver, middleware, selection, readerSelection, policy
        case deinitialiser, taskOfADeinitialiser
        case actionOnCancel, taskOfActionOnCancel, cancellationHandler
        case observerOfEnds, taskOfAnObserverOfEnds
    }

    private struct Prompt: Relux.Effect {}

    /// Concerns nothing but a reducer.
    private struct Nudge: Relux.Action {}

    private typealias Reply = Counter<TagA>.Add

    private typealias Listening = ClosureSaga<Errand>

    /// Sends a reply from one place, by a dispatcher.
    private struct Replying: Relux.StoreObserver, Relux.Middleware, Relux.Saga {
        let place: Place
        /// Carries the tasks of the store and those that observers create; nil for the pool.
        var carrier: SeededExecutor?
        /// Carries the readers.
        let world: SeededExecutor
        let link = StoreLink()
        let replies = Trace<Place>()
        let tasks = Trace<Task<Relux.Dispatched, Never>>()
        /// Where a run that listens to its cancellation arrives.
        let listening = Gate()

        init(_ place: Place, seed: UInt64 = 7, carriesAll: Bool = false) {
            self.place = place
            world = SeededExecutor(seed: seed)
            carrier = carriesAll ? world : nil
            listening.open()
        }

        func reply(from place: Place) {
            guard place == self.place, let dispatcher = link.store?.dispatcher else { return }
            replies.note(place)
            dispatcher.send(Reply())
        }

        func replyInATask(from place: Place) {
            guard place == self.place, let dispatcher = link.store?.dispatcher else { return }
            replies.note(place)
            tasks.note(Task(executorPreference: carrier) { await dispatcher.dispatch(Reply()) })
        }

        func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
            guard record.action is Prompt else { return }
            reply(from: .observer)
            replyInATask(from: .taskOfAnObserver)
        }

        func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
            guard run.trigger is Prompt else { return }
            reply(from: .observerOfEnds)
            replyInATask(from: .taskOfAnObserverOfEnds)
        }

        func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
            if action is Prompt { reply(from: .middleware) }
            return .proceed
        }

        func policy(for trigger: Prompt) -> Relux.Policy {
            reply(from: .policy)
            return .concurrent
        }

        func run(_ trigger: Prompt, in context: Relux.SagaContext) async {}

        /// Only the parts that this place needs, because a step does less without observers and middleware.
        func configuration(_ observers: any Relux.StoreObserver...) -> Relux.StoreConfiguration {
            let observes: [Place] = [.observer, .taskOfAnObserver, .observerOfEnds, .taskOfAnObserverOfEnds]
            return Relux.StoreConfiguration(
                executor: carrier, middleware: place == .middleware ? [self] : [],
                observers: observers + (observes.contains(place) ? [self] : [])
            )
        }

        /// A module that is prompted, with a saga that can be cancelled.
        func module(_ sagas: any Relux.Saga...) -> Part<TagB> {
            Part(
                states: [Voice()],
                reducers: [
                    .init(of: Voice.self, on: Prompt.self) { voice, _ in voice.prompt(self) },
                    .init(of: Voice.self, on: Nudge.self) { voice, _ in voice.prompt(self) },
                ],
                sagas: sagas + [
                    self,
                    Listening(cleanup: { _ in
                        reply(from: .actionOnCancel)
                        replyInATask(from: .taskOfActionOnCancel)
                        return nil
                    }) { _, _ in
                        try await withTaskCancellationHandler {
                            await listening.pass()
                            try await untilCancelled()
                        } onCancel: {
                            reply(from: .cancellationHandler)
                        }
                    },
                ]
            )
        }

        /// Selections that are evaluated with each prompt.
        func follow(_ store: Relux.Store) async {
            let values = store.values(of: Voice.self) { voice in
                reply(from: .selection)
                return voice.prompts
            }
            let readings = store.values { reader in
                reply(from: .readerSelection)
                return reader[Voice.self]?.prompts
            }
            await world.settle { for await _ in values {} }
            await world.settle { for await _ in readings {} }
        }
    }

    private struct Voice: Relux.State {
        typealias Action = Never

        var prompts = 0
        private var echo: Farewell?

        mutating func prompt(_ replying: Replying) {
            prompts += 1
            echo = Farewell {
                replying.reply(from: .deinitialiser)
                replying.replyInATask(from: .taskOfADeinitialiser)
            }
        }
    }

    @Test(
        "what user code sends while the task of a cancelled run is inside the store is reduced, in any order",
        arguments: Place.allCases)
    func besideADeadRun(place: Place) async throws {
        for seed in 0..<10 as Range<UInt64> {
            let rounds = 10
            let gate = Gate()
            let replying = Replying(place, seed: seed, carriesAll: true)
            let (world, observer) = (replying.world, TraceObserver())
            let store = try await Relux.Store(replying.configuration(observer)) {
                replying.module(
                    WorkSaga { _, context in
                        // Deaf to its cancellation, it keeps reading, which it may. Its task then empties the mailbox.
                        for _ in 0..<rounds {
                            await gate.pass()
                            await context.read { _ in }
                        }
                    }
                )
                Part<TagA>.counting()
            }
            replying.link.connect(to: store)
            await replying.follow(store)
            await world.settle { await store.dispatch(Work()) }
            await world.settle { await store.cancel(WorkSaga.self) }

            for _ in 0..<rounds {
                let caller = await world.settle { try await store.perform(Errand()) }
                store.send(Prompt())
                store.send(Nudge())
                caller.cancel()
                gate.letOnePass()
                await world.rest()
            }

            let replies = observer.records.entries.filter { $0.action is Reply }
            #expect(replies.count == replying.replies.entries.count, "seed \(seed)")
            #expect(replies.count >= rounds - 1)
            #expect(replies.allSatisfy { $0.cause == nil })
            #expect(observer.refusals.entries.isEmpty)
            await world.settle { await store.shutdown() }
        }
    }

    /// Expects that every reply was reduced, and that none was attributed to a run.
    private func expectReplies(
        to replying: Replying, count: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for task in replying.tasks.entries { _ = await task.value }
        let replies = observer.records.entries.filter { $0.action is Reply }
        #expect(replies.count == count ?? replying.replies.entries.count, sourceLocation: sourceLocation)
        #expect(replies.count >= 1, sourceLocation: sourceLocation)
        #expect(replies.allSatisfy { $0.cause == nil }, sourceLocation: sourceLocation)
        #expect(observer.refusals.entries.isEmpty, sourceLocation: sourceLocation)
    }

    /// Whose task is inside the store when user code sends.
    enum Visitor: CaseIterable, Sendable {
        case runOfTheStore, runOfAnother, cancelledRunOfAnother
    }

    @Test(
        "what user code sends isn't attributed to the run whose task is inside the store, or inside another one",
        arguments: Place.allCases, Visitor.allCases)
    func insideARun(place: Place, visitor: Visitor) async throws {
        let replying = Replying(place)
        let prompting = WorkSaga { _, _ in
            await gate.pass()
            guard let prompted = link.store else { return }
            await prompted.dispatch(Prompt())
            await prompted.dispatch(Nudge())
            await prompted.dispatch(contentsOf: [Nudge()])
            try? await prompted.perform(Prompt())
            await prompted.dispatch(Errand())
            await replying.listening.arrivals()
            await prompted.cancel(Listening.self)
        }
        let isOwn = visitor == .runOfTheStore
        let other = try await Relux.Store(replying.configuration()) { replying.module() }
        let configuration = isOwn ? replying.configuration(observer) : .init(observers: [observer])
        let store = try await Relux.Store(configuration) {
            if isOwn { replying.module(prompting) } else { prompting.module() }
            Part<TagA>.counting()
        }
        let prompted = isOwn ? store : other
        link.connect(to: prompted)
        replying.link.connect(to: store)
        await replying.follow(prompted)
        await dispatching(Work(), in: store)

        if visitor == .cancelledRunOfAnother { await store.cancel(WorkSaga.self) }
        gate.open()
        try await store.idle()
        // The runs of the other store may end later, and be replied to then.
        try await other.idle()
        try await store.idle()
        await expectReplies(to: replying)
    }

    @Test("a task created when a timeout expires belongs to no run")
    func atADeadline() async throws {
        let replying = Replying(.taskOfActionOnCancel)
        let store = try await Relux.Store(.init(clock: clock, observers: [observer])) {
            replying.module(
                WorkSaga { _, context in
                    try await context.timeout(after: .seconds(1)) { try await $0.perform(Errand()) }
                }
            )
            Part<TagA>.counting()
        }
        replying.link.connect(to: store)
        await store.dispatch(Work())
        await clock.sleepers(atLeast: 1)
        await replying.listening.arrivals()

        await clock.advance(by: .seconds(1))
        try await store.idle()
        await expectReplies(to: replying, count: 1)
    }
}
