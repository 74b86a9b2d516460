import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The whole feature, with every action checked.
@Suite(.timeLimit(.minutes(10))) struct UsersModuleTests {
    private func receive(
        _ revision: Int,
        _ users: User...,
        on store: TestStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let action = Users.State.Action.changed(Snapshot(users: users, revision: revision))
        await store.receive(
            action,
            { (state: inout Users.State) in
                (state.roster, state.revision) = (.loaded(Users.Roster(users)), revision)
            }, sourceLocation: sourceLocation)
    }

    @Test func `the watcher loads the users, and then receives what others record`() async throws {
        let service = InMemoryUsersService(UserDirectory([.here("Ann")]))
        let store = try await TestStore { Users.Module(service: service) }
        await store.receive(Users.Effect.load) { (state: inout Users.State) in state.roster = .loading(previous: nil) }
        await receive(1, .here("Ann"), on: store)

        await service.changeElsewhere(try .away("Ann", since: 1))
        await receive(2, .away("Ann", since: 1), on: store)
        await service.failElsewhere(.gone)
        await store.receive(Users.State.Action.failed(.gone)) { (state: inout Users.State) in
            state.roster.fail(with: .gone)
        }
        await service.changeElsewhere(try .here("Bob"))
        await receive(3, .away("Ann", since: 1), .here("Bob"), on: store)

        await store.finish()
    }

    @Test func `a module that doesn't follow shows what it loads`() async throws {
        let service = InMemoryUsersService(UserDirectory([.here("Ann")]))
        let store = try await TestStore { Users.Module(service: service, watchesElsewhere: false) }

        await store.dispatch(Users.Effect.load) { (state: inout Users.State) in state.roster = .loading(previous: nil) }
        await receive(1, .here("Ann"), on: store)
        await service.changeElsewhere(try .away("Ann"))

        await store.finish()
    }

    @Test func `a second load supersedes the first`() async throws {
        let gate = Gate()
        let service = InMemoryUsersService(
            UserDirectory([.here("Ann")]), beforeLoad: { () throws(StorageError) in await gate.pass() })
        let store = try await TestStore { Users.Module(service: service, watchesElsewhere: false) }
        // What the superseded load has read comes too late.
        await store.expectRefusal()

        await store.dispatch(Users.Effect.load) { (state: inout Users.State) in state.roster = .loading(previous: nil) }
        await store.dispatch(Users.Effect.load)
        gate.open()
        await receive(1, .here("Ann"), on: store)

        await store.finish()
        #expect(
            store.recorder.runs(of: Users.Loader.self).map { $0.outcome?.description } == ["superseded", "finished"])
    }
}
