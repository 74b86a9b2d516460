import Relux
import Testing

@Suite("Refusal", .timeLimit(.minutes(10)))
struct RefusalTests {
    private static let site = Relux.CallSite(fileID: "App/Notes.swift", line: 12)

    private static func run(_ id: UInt64) -> Relux.RunRecord { MadeRecord.run(id, at: site) }

    struct Text: Sendable {
        let reason: Relux.Refusal.Reason
        let action: (any Relux.Action)?
        let site: Relux.CallSite?
        let text: String

        init(
            _ reason: Relux.Refusal.Reason, _ action: (any Relux.Action)?, at site: Relux.CallSite? = RefusalTests.site,
            _ text: String
        ) {
            (self.reason, self.action, self.site, self.text) = (reason, action, site, text)
        }
    }

    @Test(
        "it says what was refused, where if it has a place, why, and how to fix it, unless there is nothing to fix",
        arguments: [
            Text(
                .effectNotTaken, Work(),
                "No saga or flow handles ReluxTests.Work (App/Notes.swift:12). Register the module whose saga or flow "
                    + "handles it."),
            Text(
                .actionNotTaken, Log.Action.add("secret"),
                "Nothing handles ReluxTests.Log.Action (App/Notes.swift:12). Register the module whose state reduces "
                    + "it."),
            Text(
                .stateNotOwned(Log.self), nil,
                "No registered module owns ReluxTests.Log (App/Notes.swift:12). Register the module that lists it."),
            Text(
                .storeShutDown, Work(),
                "The store was shut down or released before ReluxTests.Work arrived (App/Notes.swift:12). Keep it "
                    + "alive for as long as it is used."),
            Text(
                .staleWrite(run(4)), Log.Action.add("late"),
                "WorkSaga #4 is no longer active, so ReluxTests.Log.Action from it was refused (App/Notes.swift:12). "
                    + "Clean up in `actionOnCancel`, not in the run, and dispatch its last actions with `finish`."),
            Text(
                .droppedByMiddleware(reason: "signed out"), Work(),
                "A middleware dropped ReluxTests.Work (App/Notes.swift:12): signed out"),
            Text(
                .replacementWithoutOutput(Log.Action.add("a")), Question(),
                "A middleware replaced the performed ReluxTests.Question with ReluxTests.Log.Action "
                    + "(App/Notes.swift:12), which doesn't promise the same output. Replace it with an effect that has "
                    + "the same `Output`."),
            Text(
                .moduleNotRegistered(Log.Module.self), nil,
                "ReluxTests.Log.Module isn't registered (App/Notes.swift:12), so there is nothing to unregister or reset."
            ),
            Text(
                .moduleStillNeeded(Log.Module.self, by: [SagaModule.self, Ledger.Module.self]), nil,
                "ReluxTests.Log.Module remains registered (App/Notes.swift:12): it is needed by "
                    + "ReluxTests.SagaModule, ReluxTests.Ledger.Module. Unregister those first."),
            Text(
                .moduleHeldByLeases(Log.Module.self, leases: 2), nil,
                "ReluxTests.Log.Module remains registered (App/Notes.swift:12): 2 lease(s), or states that have it as "
                    + "a child, hold it. End the leases, and remove its id from those states."),
            Text(
                .waitCycle(waiting: run(4), on: run(5)), Work(),
                "WorkSaga #4 would wait for WorkSaga #5, which can only end after it (App/Notes.swift:12). Dispatch "
                    + "without waiting, or use another policy id."),
            Text(
                .storeShutDown, nil, at: nil,
                "The store was shut down or released before a call arrived. Keep it alive for as long as it is used."),
            Text(
                .staleWrite(run(4)), nil, at: nil,
                "WorkSaga #4 is no longer active, so a call from it was refused. Clean up in `actionOnCancel`, not in "
                    + "the run, and dispatch its last actions with `finish`."),
            Text(
                .staleWrite(run(4)), Relux.Dismissal(of: Relux.Store().scope(of: Gallery.Page.self, id: 1)), at: nil,
                "WorkSaga #4 is no longer active, so it dismissed nothing. There is nothing to fix if something else "
                    + "has closed its instance."),
        ])
    func text(expected: Text) {
        let refusal = MadeRecord.refusal(expected.reason, expected.action, at: expected.site)

        #expect(refusal.description == expected.text)
    }
}
