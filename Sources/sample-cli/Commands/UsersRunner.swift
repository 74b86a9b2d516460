import Relux
import SampleDomain
import SampleServices

/// Shows or changes the presence of users with a store.
struct UsersRunner: Sendable {
    private let invocation: Invocation
    private let store: Relux.Store

    init(_ invocation: Invocation) async throws {
        self.invocation = invocation
        let service = FileUsersService(folder: invocation.folder)
        store = try await Relux.Store(invocation.configuration) { Users.Module(service: service, follows: false) }
    }

    func list() async throws -> ExitStatus {
        try await store.perform(Users.Effect.load)
        let state = try await store.state(of: Users.State.self)
        let listing = Users.Presenter().listing(of: state)
        let notices = listing.notices.map { $0.map(\.visible) }
        if listing.isFailed {
            throw Complaint(notices.first ?? [], as: state.roster.failure?.code ?? "unexpected")
        }
        let console = invocation.console
        try invocation.show(UsersJSON(state), console.style.lines(of: listing))
        if !console.isJSON {
            for notice in notices { console.error(notice.joined(separator: " ") + "\n") }
        } else if !state.damages.isEmpty {
            for notice in notices { console.complain(notice, as: "damaged-file") }
        }
        // Somebody is missing from the list.
        return state.damages.isEmpty ? .success : .failure
    }

    func carryOut(_ command: Users.Command) async throws -> ExitStatus {
        let passage = try await store.call(command)
        try invocation.show(UsersJSON(passage), [Texts.explain(passage)])
        return .success
    }
}
