import Relux
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The watcher, alone and with the whole feature, with every action checked.
@Suite(.timeLimit(.minutes(10))) struct UsersModuleTests {
    /// The watcher, with nothing but its state.
    private struct LoneFollower: Relux.Module {
        let service: any UsersService

        var states: [any Relux.State] { [Users.State()] }
        var watchers: [any Relux.Watcher] { [Users.Follower(service: service)] }
    }

    private func receive(
        _ revision: Int,
        _ users: User...,
        damages: [UsersServiceError] = [],
        on store: TestStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let action = Users.State.Action.changed(UsersSnapshot(users: users, damages: damages, revision: revision))
        await store.receive(
            action,
            { (state: inout Users.State) in
                (state.roster, state.damages, state.revision) = (.loaded(Users.Roster(users)), damages, revision)
            }, sourceLocation: sourceLocation)
    }

    @Test func `the watcher receives the current users, and then every change`() async throws {
        let service = InMemoryUsersService([.here("Ann")])
        let store = try await TestStore { LoneFollower(service: service) }

        await receive(1, .here("Ann"), on: store)
        await service.change(to: [.away("Ann"), .here("Bob")])
        await receive(2, .away("Ann"), .here("Bob"), on: store)
        await service.change(to: [.here("Bob")], damages: [.garbage])
        await receive(3, .here("Bob"), damages: [.garbage], on: store)

        await store.finish()
    }

    @Test func `the watcher ends when the sequence of the service ends`() async throws {
        let store = try await TestStore { LoneFollower(service: ShortService()) }

        await receive(1, .here("Ann"), on: store)

        await store.finish()
    }

    @Test func `after a failure it waits for a load that succeeds, and then follows again`() async throws {
        let fails = Lock(true)
        let service = InMemoryUsersService(
            [.here("Ann")],
            hook: { () throws(UsersServiceError) in
                if fails.withLock({ $0 }) { throw .gone }
            })
        let store = try await TestStore { Users.Module(service: service) }
        await receive(1, .here("Ann"), on: store)

        await service.fail(.gone)
        await store.receive(Users.State.Action.failed(.gone)) { (state: inout Users.State) in
            state.roster.fail(with: .gone)
        }
        await store.dispatch(Users.Effect.load) { (state: inout Users.State) in state.roster.startLoading() }
        await store.receive(Users.State.Action.failed(.gone)) { (state: inout Users.State) in
            state.roster.fail(with: .gone)
        }
        // Nobody follows, so this isn't noticed.
        await service.change(to: [.away("Ann")])
        fails.withLock { $0 = false }
        await store.dispatch(Users.Effect.load) { (state: inout Users.State) in state.roster.startLoading() }
        await receive(2, .away("Ann"), on: store)
        // The first value of the restarted watcher changes nothing.
        let same = UsersSnapshot(users: [.away("Ann")], damages: [], revision: 2)
        await store.receive(Users.State.Action.changed(same))
        await service.change(to: [])
        await receive(3, on: store)

        await store.finish()
    }

    @Test func `a module that doesn't follow shows what it loads`() async throws {
        let service = InMemoryUsersService([.here("Ann")])
        let store = try await TestStore { Users.Module(service: service, follows: false) }

        await store.dispatch(Users.Effect.load) { (state: inout Users.State) in state.roster = .loading(previous: nil) }
        await receive(1, .here("Ann"), on: store)
        await service.change(to: [])

        await store.finish()
    }

    @Test func `a second load supersedes the first`() async throws {
        let gate = Gate()
        let service = InMemoryUsersService([.here("Ann")], hook: { () throws(UsersServiceError) in await gate.pass() })
        let store = try await TestStore { Users.Module(service: service, follows: false) }
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

    @Test func `a selection stays with its user from section to section`() async throws {
        let service = InMemoryUsersService([.here("Ann"), .away("Bob")], now: { .sample(9) })
        let store = try await TestStore { Users.Module(service: service) }
        await receive(1, .here("Ann"), .away("Bob"), on: store)

        await store.dispatch(Users.State.Action.selected("bob")) { (state: inout Users.State) in state.selection = "bob"
        }
        await service.change(to: [.here("Ann"), .here("Bob", since: 9)])
        await receive(2, .here("Ann"), .here("Bob", since: 9), on: store)
        await service.change(to: [.here("Ann")])
        await store.receive(Users.State.Action.self) { (state: inout Users.State) in
            (state.roster, state.revision, state.selection) = (.loaded(Users.Roster([.here("Ann")])), 3, nil)
        }

        await store.finish()
    }
}

/// Reports the current users, and then ends.
private struct ShortService: UsersService {
    private let snapshot = UsersSnapshot(users: [.here("Ann")], revision: 1)

    func users() async throws(UsersServiceError) -> UsersSnapshot { snapshot }

    func arrive(_ name: User.Name) async throws(UsersServiceError) -> Passage { throw .gone }

    func leave(_ name: User.Name) async throws(UsersServiceError) -> Passage { throw .gone }

    func presence() async -> AsyncStream<Result<UsersSnapshot, UsersServiceError>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<UsersSnapshot, UsersServiceError>.self)
        continuation.yield(.success(snapshot))
        continuation.finish()
        return stream
    }
}
