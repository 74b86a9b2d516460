import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

/// Two stores on one folder, as in two programs.
@Suite(.timeLimit(.minutes(10))) struct UsersFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store() async throws -> Relux.Store {
        let path = folder.path
        return try await Relux.Store { Users.Module(service: FileUsersService(folder: path)) }
    }

    /// Waits until a user is in a section, or unknown if nil, according to a store.
    private func wait(for id: User.ID, in section: Users.Section?, on store: Relux.Store) async throws {
        let sections = store.values(of: Users.State.self) { state in
            Users.Section.allCases.first { state.roster.value?.users(in: $0)[id: id] != nil }
        }
        #expect(await sections.contains(section))
    }

    @Test func `two stores see each other's users arrive and leave`() async throws {
        let (mine, theirs) = (try await store(), try await store())

        try await theirs.perform(Users.Command.arrive(name: "Ann"))
        try await wait(for: "ann", in: .online, on: mine)
        try await mine.perform(Users.Command.arrive(name: "Bob"))
        try await wait(for: "bob", in: .online, on: theirs)
        try await theirs.perform(Users.Command.leave(name: "ann"))
        try await wait(for: "ann", in: .offline, on: mine)

        let state = try await mine.state(of: Users.State.self)
        #expect(state.roster.value?.all.map(\.name) == ["Bob", "Ann"])
    }
}
