import Relux
import SampleDomain
import SampleServices

/// Carries out one items command with a store, and shows the result.
struct ItemsRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let ending: ProcessEnding
    let options: ItemsOptions

    /// Carries out a request.
    func run(_ request: ItemsRequest) async -> ExitStatus {
        let workspace = Workspace(options: options, environment: environment)
        do {
            let store = try await Relux.Store(workspace.configuration) {
                workspace.session
                Items.Module(
                    service: ProfileItemsService(behind: workspace.door),
                    history: ProfileItemsHistoryService(behind: workspace.door),
                    watchesElsewhere: false
                )
            }
            if let failure = try await workspace.open(on: store) {
                console.complain(Texts.explain(failure), as: failure.code)
                return .failure
            }
            return switch request {
            case .list: try await list(on: store)
            case .command(let command): try await carryOut(command, on: store)
            case .sweep(let sweep, let isAgreed): try await self.sweep(sweep, isAgreed: isAgreed, on: store)
            case .importing(let path): try await importTitles(from: path, on: store)
            }
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    private func list(on store: Relux.Store) async throws -> ExitStatus {
        try await store.perform(Items.Effect.load)
        let state = try await store.state(of: Items.State.self)
        if let failure = state.loading.failure {
            console.complain(Texts.explain(failure), as: failure.code)
            return .failure
        }
        if options.isJSON {
            console.print([try ItemsJSON(list: state.list).line()])
        } else if state.list.count == 0 {
            console.error(Texts.emptyList + "\n")
        } else {
            console.print(ItemsRenderer(list: state.list, style: console.style).lines)
        }
        return .success
    }

    func carryOut(_ command: Items.Command, on store: Relux.Store) async throws -> ExitStatus {
        let outcome: Items.Outcome
        do {
            outcome = try await store.call(command)
        } catch let failure as ItemsError {
            let list = try await store.state(of: Items.State.self).list
            console.complain(Texts.explain(failure, shortIDs: Items.ShortIDs(of: list.all)), as: failure.code)
            return .failure
        }
        // After this, the work that the command triggered has ended: the list has been saved, or the state contains the
        // error.
        try await store.idle()
        let state = try await store.state(of: Items.State.self)
        if let failure = state.saving.failure {
            console.complain(Texts.unsaved(failure), as: failure.code)
            return .failure
        }
        if let former = state.formerHistory { console.complain(Texts.setAside(former), as: "history-set-aside") }
        if let failure = state.historyFailure { console.complain(Texts.unrecorded(failure), as: "history-not-saved") }
        if let refusal = Texts.explain(emptiness: outcome) {
            console.complain([refusal], as: "no-effect")
            return .failure
        }
        if let remark = Texts.remark(on: outcome) { console.error(remark + "\n") }
        if options.isJSON {
            console.print(try ItemsJSON(outcome, in: state.list).map { [try $0.line()] } ?? [])
        } else {
            console.print(ItemsRenderer(list: state.list, style: console.style).lines(of: outcome, after: command))
        }
        // The list has changed as requested, but a later undo will not do what the user expects.
        return state.historyFailure == nil ? .success : .failure
    }
}
