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
        store = try await Relux.Store(invocation.configuration) {
            Users.Module(service: service, watchesElsewhere: false)
        }
    }

    func list() async throws -> ExitStatus {
        try await store.perform(Users.Effect.load)
        let state = try await store.state(of: Users.State.self)
        let listing = Presenter().listing(of: state)
        let notice = listing.notice.map(\.visible)
        if listing.isFailed { throw Complaint(notice, as: state.roster.failure?.code ?? "unexpected") }
        let console = invocation.console
        try invocation.show(UsersJSON(state), console.style.lines(of: listing))
        if !console.isJSON, !notice.isEmpty { console.error(notice.joined(separator: " ") + "\n") }
        return .success
    }

    func carryOut(_ command: Users.Command) async throws -> ExitStatus {
        let passage = try await store.call(command)
        try invocation.show(UsersJSON(passage), [Texts.explain(passage)])
        return .success
    }
}
