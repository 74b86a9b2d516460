import Relux
import Testing

@Suite("Refusal", .timeLimit(.minutes(10)))
struct RefusalTests {
    private let site = Relux.CallSite(fileID: "App/Notes.swift", line: 12)

    private func text(
        _ reason: Relux.Refusal.Reason, _ action: (any Relux.Action)? = nil, isPlaced: Bool = true
    ) -> String {
        MadeRecord.refusal(reason, action, at: isPlaced ? site : nil).description
    }

    private func run(_ id: UInt64) -> Relux.RunRecord {
        MadeRecord.run(id, at: site)
    }

    @Test("it says what nothing handles")
    func nothingHandles() {
        #expect(
            text(.effectNotTaken, Work())
                == "No saga or flow handles ReluxTests.Work (App/Notes.swift:12). Register the module whose saga or "
                + "flow handles it."
        )
        #expect(
            text(.actionNotTaken, Log.Action.add("secret"))
                == "Nothing handles ReluxTests.Log.Action (App/Notes.swift:12). Register the module whose state "
                + "reduces it."
        )
        #expect(
            text(.stateNotOwned(Log.self))
                == "No registered module owns ReluxTests.Log (App/Notes.swift:12). Register the module that lists it."
        )
    }

    @Test("it says what arrived too late, with and without an action")
    func tooLate() {
        #expect(
            text(.storeShutDown, Work())
                == "The store was shut down or released before ReluxTests.Work arrived (App/Notes.swift:12). "
                + "Keep it alive for as long as it is used."
        )
        #expect(
            text(.storeShutDown, isPlaced: false)
                == "The store was shut down or released before a call arrived. Keep it alive for as long as it is used."
        )
        #expect(
            text(.staleWrite(run(4)), Log.Action.add("late"))
                == "WorkSaga #4 is no longer active, so ReluxTests.Log.Action from it was refused "
                + "(App/Notes.swift:12). Clean up in `actionOnCancel`, not in the run."
        )
        #expect(
            text(.staleWrite(run(4)), isPlaced: false)
                == "WorkSaga #4 is no longer active, so a call from it was refused. Clean up in `actionOnCancel`, not "
                + "in the run."
        )
    }

    @Test("a dismissal that comes after another one isn't told to clean up")
    func lateDismissal() {
        struct Page: Relux.Module, Identifiable { let id: Int }
        let page = Relux.Store().scope(of: Page.self, id: 1)

        #expect(
            text(.staleWrite(run(4)), Relux.Dismissal(of: page), isPlaced: false)
                == "WorkSaga #4 is no longer active, so it dismissed nothing. There is nothing to fix if something else "
                + "has closed its instance."
        )
    }

    @Test("it says what a middleware did")
    func middleware() {
        #expect(
            text(.droppedByMiddleware(reason: "signed out"), Work())
                == "A middleware dropped ReluxTests.Work (App/Notes.swift:12): signed out"
        )
        #expect(
            text(.replacementWithoutOutput(Log.Action.add("a")), Question())
                == "A middleware replaced the performed ReluxTests.Question with ReluxTests.Log.Action "
                + "(App/Notes.swift:12), which doesn't promise the same output. Replace it with an effect that has "
                + "the same `Output`."
        )
    }

    @Test("it says why a module remains registered, or that it wasn't registered")
    func modules() {
        #expect(
            text(.moduleNotRegistered(Log.Module.self))
                == "ReluxTests.Log.Module isn't registered (App/Notes.swift:12), so there is nothing to unregister."
        )
        #expect(
            text(.moduleStillNeeded(Log.Module.self, by: [SagaModule.self, Ledger.Module.self]))
                == "ReluxTests.Log.Module remains registered (App/Notes.swift:12): it is needed by "
                + "ReluxTests.SagaModule, ReluxTests.Ledger.Module. Unregister those first."
        )
        #expect(
            text(.moduleHeldByLeases(Log.Module.self, leases: 2))
                == "ReluxTests.Log.Module remains registered (App/Notes.swift:12): 2 lease(s), or states "
                + "that have it as a child, hold it. End the leases, and remove its id from those states."
        )
    }

    @Test("it names both runs of a cycle")
    func cycle() {
        #expect(
            text(.waitCycle(waiting: run(4), on: run(5)), Work())
                == "WorkSaga #4 would wait for WorkSaga #5, which can only end after it (App/Notes.swift:12). "
                + "Dispatch without waiting, or use another policy id."
        )
    }
}
