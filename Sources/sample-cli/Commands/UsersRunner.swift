import Relux
import SampleDomain
import SampleServices

/// Shows or changes the presence of users with a store.
struct UsersRunner: Sendable {
    let console: Console
    let environment: [String: String]
    let options: UsersOptions
    var presenter = Users.Presenter()

    /// Carries out a request.
    func run(_ request: UsersRequest) async -> ExitStatus {
        let store = Relux.Store(Relux.StoreConfiguration(observers: options.isVerbose ? [Relux.ConsoleLogger()] : []))
        let folder = options.folder ?? DataFolder.standard(environment: environment)
        let service = FileUsersService(folder: folder)
        do {
            switch request {
            case .list:
                try await store.register(Users.Module(service: service, follows: false))
                return try await list(on: store)
            case .watch:
                // Created before the module is registered, so that no action is missed.
                let actions = store.actionStream(of: Users.State.Action.self)
                try await store.register(Users.Module(service: service))
                return try await watch(actions)
            case .command(let command):
                try await store.register(Users.Module(service: service, follows: false))
                return try await carryOut(command, on: store)
            }
        } catch {
            console.complain([Texts.unexpected(error)], as: "unexpected")
            return .failure
        }
    }

    private func list(on store: Relux.Store) async throws -> ExitStatus {
        try await store.perform(Users.Effect.load)
        let state = try await store.state(of: Users.State.self)
        let status = try show(state)
        // Somebody is missing from the list.
        return state.damages.isEmpty ? status : .failure
    }

    /// Prints all users, and then every change.
    ///
    /// It doesn't access the store. Reducers are pure, so reducing the same actions from the same state here gives the
    /// same result, and no action is skipped.
    private func watch(_ actions: Relux.ActionStream<Users.State.Action>) async throws -> ExitStatus {
        var state = Users.State()
        for await action in actions {
            let former = state
            state.reduce(action)
            if former.roster.value == nil || state.roster.failure != nil {
                let status = try show(state, isNew: former.roster.value == nil)
                if status != .success { return status }
            } else {
                for change in state.changes(since: former) { try show(change) }
            }
        }
        // Unreachable in practice: the store exists as long as the program.
        return .failure
    }

    private func carryOut(_ command: Users.Command, on store: Relux.Store) async throws -> ExitStatus {
        let passage: Passage
        do {
            passage = try await store.call(command)
        } catch let failure as UsersError {
            console.complain(Texts.explain(failure), as: failure.code)
            return .failure
        }
        if options.isJSON {
            console.print([try UsersJSON(passage).line()])
        } else {
            console.print([Texts.explain(passage)])
        }
        return .success
    }

    /// Shows all users and the notices.
    private func show(_ state: Users.State, isNew: Bool = true) throws -> ExitStatus {
        let listing = presenter.listing(of: state)
        let notices = listing.notices.map { $0.map(\.visible) }
        if listing.isFailed {
            let code = state.roster.failure?.code ?? "unexpected"
            notices.prefix(1).forEach { console.complain($0, as: code) }
            return .failure
        }
        guard isNew else { return .success }
        if options.isJSON {
            console.print([try UsersJSON(state).line()])
        } else {
            console.print(UsersRenderer(style: console.style).lines(of: listing))
        }
        if !options.isJSON || !state.damages.isEmpty { notices.forEach(tell) }
        return .success
    }

    private func show(_ change: Users.Change) throws {
        if options.isJSON { return console.print([try UsersJSON(change).line()]) }
        let lines = presenter.lines(of: change).map(\.visible)
        switch change {
        case .damaged, .mended: tell(lines)
        case .arrived, .left, .appeared, .vanished, .renamed: console.print(lines)
        }
    }

    private func tell(_ lines: [String]) {
        if options.isJSON { return console.complain(lines, as: "damaged-file") }
        console.error(lines.joined(separator: " ") + "\n")
    }
}
