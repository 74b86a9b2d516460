import Relux
import Testing

@Suite("StoreError, EffectError and NotIdle", .timeLimit(.minutes(10)))
struct StoreErrorTests {
    private let site = Relux.CallSite(fileID: "App/Notes.swift", line: 12)

    private func run(_ id: UInt64, _ kind: Relux.RunRecord.Kind = .saga) -> Relux.RunRecord {
        MadeRecord.run(id, kind, at: site)
    }

    @Test("a store error says what happened, where it happened, and how to fix it")
    func storeErrors() {
        let store = Relux.Store()
        let scope = store.scope(of: Chat.Module.self, id: "c1")
        let errors: [Relux.StoreError] = [
            .foreignChildren(of: Log.self, in: SagaModule.self),
            .missing(Log.Module.self, requiredBy: SagaModule.self),
            .missing(Chat.Module.self, requiredBy: Chat.Module.self),
            .flowOfChildAction(Question.self, in: SagaModule.self),
            .childWithOtherID(Chat.Module.self, requested: "c1", found: "c2"),
            .nestedWithoutEnd(Chat.Module.self, limit: 9),
            .noInstance(scope, at: site),
            .moduleNotRegistered(SagaModule.self, at: site),
            .otherStates(of: SagaModule.self),
            .foreignPersistence(of: Log.self, in: SagaModule.self),
            .savedTwice(Log.self, and: Log.self),
            .savedTwice(Log.self, and: Total.self),
            .notLoaded(Log.self, .newer(version: 4)),
            .needsLoading(Log.Module.self),
        ]

        #expect(
            errors.map { "\($0)" } == [
                "ReluxTests.SagaModule lists children that follow ReluxTests.Log, but neither owns that state nor "
                    + "depends on the module that does. Add that module to its `dependencies` or `requires`.",
                "ReluxTests.SagaModule requires ReluxTests.Log.Module, which isn't registered. Register it first or in "
                    + "the same call, or list an instance of it in `dependencies`.",
                "ReluxTests.Chat.Module requires itself. Remove it from `requires`: only an instance that is "
                    + "registered inside another instance of its module can require that one.",
                "ReluxTests.SagaModule lists a flow for ReluxTests.Question. The effect of an instance is answered by "
                    + "the instance's own flow: make this one a saga.",
                "A child ReluxTests.Chat.Module was requested with the id c1, but made with the id c2. Pass on the id "
                    + "that the closure receives.",
                "ReluxTests.Chat.Module would be the child of 9 instances, one inside the other. Let its children "
                    + "follow a state that is empty at first.",
                "There is no \(scope) (App/Notes.swift:12). Register or attach the instance first, or add its id to "
                    + "the state that its scope follows.",
                "ReluxTests.SagaModule isn't registered (App/Notes.swift:12), so it can't be replaced. Register it.",
                "ReluxTests.SagaModule can't be replaced by an instance that lists or persists states of other "
                    + "types. Unregister it, and register the other one.",
                "ReluxTests.SagaModule lists a persistence of ReluxTests.Log, which it doesn't own. Move it to the "
                    + "module that lists that state in `states`.",
                "ReluxTests.Log would be saved twice, or two instances of it in the same place. List one persistence "
                    + "for each state, and pass the instance's `id` to it.",
                "ReluxTests.Log and ReluxTests.Total would be saved in the same place. Give each a key of its own.",
                "ReluxTests.Log could not be loaded: what was saved has the version 4, which is newer than this "
                    + "program. Try again, or choose another rule for what is `unreadable`. If its module is "
                    + "registered, `discardSaved` gives up what was saved.",
                "ReluxTests.Log.Module has saved states to load, which takes time. Create the store with `try await`, "
                    + "or register the module later.",
            ]
        )
    }

    @Test("an effect error says what happened and how to fix it, and the text of a result lists what failed")
    func effectErrors() {
        let errors: [Relux.EffectError] = [
            .failed(TestFailure(name: "offline")), .superseded, .dropped, .cancelled, .unhandled,
            .serialCycle(waiting: run(4), on: run(5)), .storeShutDown,
        ]

        #expect(
            errors.map { "\($0)" } == [
                "The effect failed: TestFailure(name: \"offline\")",
                "A newer trigger superseded the effect.",
                "The effect was dropped: a run was already active, or a middleware dropped it.",
                "The effect was cancelled.",
                "No saga or flow handles the effect, or nothing takes the action. Register the module that does.",
                "WorkSaga #4 would wait for WorkSaga #5, which can only end after it. Dispatch without waiting, or use "
                    + "another policy id.",
                "The store was shut down or released.",
            ]
        )
        let results: [Relux.ActionResult] = [
            .success, .cancelled, .failure([TestFailure(), Relux.EffectError.cancelled]),
        ]

        #expect(
            results.map { "\($0)" } == [
                "success", "cancelled", "failure: TestFailure(name: \"failure\"); The effect was cancelled.",
            ]
        )
    }

    @Test("the text of a NotIdle gives the reason and each busy run")
    func notIdle() {
        let busy = [
            MadeRecord.busyRun(run(4), .active, waitsFor: [run(5), run(6, .timeout)]),
            MadeRecord.busyRun(run(5), .queued),
        ]
        let reasons: [Relux.NotIdle.Reason] = [.limitReached(.seconds(2)), .cancelled, .calledFromRun(4)]

        #expect(
            reasons.map { "\(MadeRecord.notIdle($0))" } == [
                "The store wasn't idle within 2 s.",
                "The wait for the store to become idle was cancelled.",
                "Run #4 waited for the store to become idle, which can only happen after that run has ended.",
            ]
        )
        #expect(
            "\(MadeRecord.notIdle(.cancelled, busy))" == """
                The wait for the store to become idle was cancelled.
                  WorkSaga #4 (active), triggered at App/Notes.swift:12, waits for WorkSaga #5, timeout in WorkSaga #6
                  WorkSaga #5 (queued), triggered at App/Notes.swift:12
                """
        )
    }
}
