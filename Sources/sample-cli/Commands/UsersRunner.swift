import Relux
import SampleDomain
import SampleServices

/// Shows or changes the presence of users with a store.
struct UsersRunner: Sendable {
    let invocation: Invocation
    private let presenter = Users.Presenter()

    private var console: Console { invocation.console }

    private func module(follows: Bool) -> Users.Module {
        Users.Module(service: FileUsersService(folder: invocation.folder), follows: follows)
    }

    func list() async throws -> ExitStatus {
        let store = try await Relux.Store(invocation.configuration) { module(follows: false) }
        try await store.perform(Users.Effect.load)
        let state = try await store.state(of: Users.State.self)
        try show(state)
        // Somebody is missing from the list.
        return state.damages.isEmpty ? .success : .failure
    }

    /// Prints all users, and then every change.
    ///
    /// It doesn't access the store. Reducers are pure, so reducing the same actions from the same state here gives the
    /// same result, and no action is skipped.
    func watch() async throws -> ExitStatus {
        let store = Relux.Store(invocation.configuration)
        // Created before the module is registered, so that no action is missed.
        let actions = store.actionStream(of: Users.State.Action.self)
        try await store.register(module(follows: true))
        var state = Users.State()
        for await action in actions {
            let former = state
            state.reduce(action)
            if former.roster.value == nil || state.roster.failure != nil {
                try show(state, isNew: former.roster.value == nil)
            } else {
                for change in state.changes(since: former) { try show(change) }
            }
        }
        // Unreachable in practice: the store exists as long as the program.
        return .failure
    }

    func carryOut(_ command: Users.Command) async throws -> ExitStatus {
        let store = try await Relux.Store(invocation.configuration) { module(follows: false) }
        do {
            let passage = try await store.call(command)
            try invocation.show(UsersJSON(passage), [Texts.explain(passage)])
            return .success
        } catch let failure as UsersError {
            throw Complaint(Texts.explain(failure), as: failure.code)
        }
    }

    private func show(_ state: Users.State, isNew: Bool = true) throws {
        let listing = presenter.listing(of: state)
        let notices = listing.notices.map { $0.map(\.visible) }
        if listing.isFailed {
            throw Complaint(notices.first ?? [], as: state.roster.failure?.code ?? "unexpected")
        }
        guard isNew else { return }
        try invocation.show(UsersJSON(state), UsersRenderer(style: console.style).lines(of: listing))
        if !console.isJSON || !state.damages.isEmpty { notices.forEach(tell) }
    }

    private func show(_ change: Users.Change) throws {
        if console.isJSON { return console.print([try UsersJSON(change).line()]) }
        let lines = presenter.lines(of: change).map(\.visible)
        switch change {
        case .damaged, .mended: tell(lines)
        case .arrived, .left, .appeared, .vanished, .renamed: console.print(lines)
        }
    }

    private func tell(_ lines: [String]) {
        if console.isJSON { return console.complain(lines, as: "damaged-file") }
        console.error(lines.joined(separator: " ") + "\n")
    }
}
