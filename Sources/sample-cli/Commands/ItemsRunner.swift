import Relux
import SampleDomain
import SampleServices

/// Carries out one items command with a store, and shows the result.
struct ItemsRunner: Sendable {
    let invocation: Invocation
    let store: Relux.Store

    var console: Console { invocation.console }

    init(_ invocation: Invocation) async throws {
        self.invocation = invocation
        store = try await invocation.profileStore { door in
            [
                Items.Module(
                    service: ProfileService(behind: door) { FileItemsService(folder: $0) },
                    history: ProfileService(behind: door) { FileItemsHistoryService(folder: $0) },
                    watchesElsewhere: false)
            ]
        }
    }

    func list() async throws -> ExitStatus {
        let list = try await readList()
        if !console.isJSON, list.count == 0 { console.error(Texts.emptyList + "\n") }
        try invocation.show(ItemsJSON(list: list), ItemsRenderer(list: list, style: console.style).lines)
        return .success
    }

    func carryOut(_ command: Items.Command) async throws -> ExitStatus {
        let outcome: Items.Outcome
        do {
            outcome = try await store.call(command)
        } catch let failure as ItemsError {
            let list = try await store.state(of: Items.State.self).list
            throw Texts.complaint(failure, shortIDs: Items.ShortIDs(of: list.all))
        }
        // After this, the work that the command triggered has ended: the list has been saved, or the state contains the
        // error.
        try await store.idle()
        let state = try await store.state(of: Items.State.self)
        if let failure = state.saving.failure { throw Complaint(Texts.unsaved(failure), as: failure.code) }
        warn(of: state)
        if let refusal = Texts.explain(emptiness: outcome) { throw Complaint(refusal, as: "no-effect") }
        if let remark = Texts.remark(on: outcome) { console.error(remark + "\n") }
        if let json = ItemsJSON(outcome, in: state.list) {
            let renderer = ItemsRenderer(list: state.list, style: console.style)
            try invocation.show(json, renderer.lines(of: outcome, after: command))
        }
        // The list has changed as requested, but a later undo will not do what the user expects.
        return state.historyFailure == nil ? .success : .failure
    }

    func readList() async throws -> Items.List {
        try await store.perform(Items.Effect.load)
        let state = try await store.state(of: Items.State.self)
        if let failure = state.loading.failure { throw failure }
        return state.list
    }

    func warn(of state: Items.State) {
        if let former = state.formerHistory { console.complain(Texts.setAside(former), as: "history-set-aside") }
        if let failure = state.historyFailure { console.complain(Texts.unrecorded(failure), as: "history-not-saved") }
    }
}
