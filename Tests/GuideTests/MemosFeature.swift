import Relux

// The feature of Docs/UserInterfaces.md, with what its screens show and trigger. It is run with the tests, and
// type-checked with the screen beside the stub.

enum Memos {
    nonisolated struct Memo: Hashable, Sendable, Identifiable {
        let id: Int
        var title: String
        var isDone = false
    }

    nonisolated struct Failure: Hashable, Sendable, Identifiable {
        let id: Int
        let text: String
    }

    nonisolated enum Page: Hashable, Sendable { case memo(Memo.ID), editor(Memo.ID) }

    typealias Pages = Relux.Navigation.Stack<Page>

    struct State: Relux.State {
        var memos: Relux.Entities<Memo> = []
        var search = ""
        var hidesDone = false
        var failure: Failure?
        private var failures = 0

        enum Action: Relux.Action, Hashable {
            case loaded([Memo]), searched(String), hidDone(Bool)
            case completed(Memo.ID), renamed(Memo.ID, String)
            case failed(String), dismissedFailure(Failure.ID)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loaded(let loaded): memos = Relux.Entities(loaded, keeping: .last)
            case .searched(let text): search = text
            case .hidDone(let hides): hidesDone = hides
            case .completed(let id): memos[id: id]?.isDone = true
            case .renamed(let id, let title):
                let trimmed = title.filter { $0 != "\n" }
                if !trimmed.isEmpty { memos[id: id]?.title = trimmed }
            case .failed(let text):
                failures += 1
                failure = Failure(id: failures, text: text)
            case .dismissedFailure(let id): if failure?.id == id { failure = nil }
            }
        }
    }

    struct Load: Relux.Effect, Hashable {}

    struct Loader: Relux.Saga {
        let load: @Sendable () async throws -> [Memo]

        func policy(for trigger: Load) -> Relux.Policy { .latest }

        func actionOnFailure(_ trigger: Load, _ error: any Error) -> (any Relux.Action)? {
            State.Action.failed("\(error)")
        }

        func run(_ trigger: Load, in context: Relux.SagaContext) async throws {
            await context.finish(with: State.Action.loaded(try await load()))
        }
    }

    struct Module: Relux.Module {
        let load: @Sendable () async throws -> [Memo]

        var states: [any Relux.State] { [State(), Pages()] }
        var sagas: [any Relux.Saga] { [Loader(load: load)] }
    }
}

struct MemosProps: Relux.UI.ViewProps {
    struct Row: Relux.UI.ViewProps, Identifiable {
        let id: Memos.Memo.ID
        let title: String
        let isDone: Bool
    }

    static let empty = MemosProps(Memos.State())

    let rows: [Row]
    let search: String
    let hidesDone: Bool
    let failure: Memos.Failure?

    init(_ state: Memos.State) {
        rows = state.memos
            .filter { ($0.title.contains(state.search) || state.search.isEmpty) && !($0.isDone && state.hidesDone) }
            .map { Row(id: $0.id, title: $0.title, isDone: $0.isDone) }
        (search, hidesDone, failure) = (state.search, state.hidesDone, state.failure)
    }
}

struct MemosCallbacks: Relux.UI.ViewCallbacks {
    let complete: Relux.UI.ViewCallback<Memos.Memo.ID>
    let open: Relux.UI.ViewCallback<Memos.Memo.ID>
    let edit: Relux.UI.ViewCallback<Memos.Memo.ID>
    let reload: Relux.UI.ViewCallback<Void>

    init(to dispatcher: Relux.Dispatcher) {
        complete = .init(to: dispatcher, sending: { id in Memos.State.Action.completed(id) })
        open = .init(to: dispatcher, sending: { id in Memos.Pages.Action.push(.memo(id)) })
        edit = .init(to: dispatcher, sending: { id in Memos.Pages.Action.present(.editor(id)) })
        reload = .init(sending: Memos.Load(), to: dispatcher)
    }

    /// What an editor of one memo commits.
    static func rename(_ id: Memos.Memo.ID, to dispatcher: Relux.Dispatcher) -> Relux.UI.ViewCallback<String> {
        .init(capturing: id, to: dispatcher, sending: { id, title in Memos.State.Action.renamed(id, title) })
    }
}
