import Relux
import ReluxTesting
import SampleServices
import Synchronization
import Testing

@testable import SampleDomain

/// The saga that loads, and the flow that records arrivals and departures, each alone.
@Suite(.timeLimit(.minutes(10))) struct UsersSagasTests {
    private func loader(_ service: any UsersService) async throws -> SagaTester<Users.Effect> {
        try await SagaTester(Users.Loader(service: service), states: [Users.State()])
    }

    private func doorkeeper(_ service: any UsersService) async throws -> SagaTester<Users.Command> {
        try await SagaTester(Users.Doorkeeper(service: service, now: { .sample(3) }), states: [Users.State()])
    }

    @Test func `a load returns the users`() async throws {
        let tester = try await loader(InMemoryUsersService(UserDirectory([.here("Ann")])))

        await tester.start(.load)

        let expected = Snapshot(users: [.here("Ann")], revision: 1)
        #expect(tester.dispatched(Users.State.Action.self) == [.changed(expected)])
        #expect(tester.outcome?.description == "finished")
    }

    @Test func `a load that fails says why`() async throws {
        let tester = try await loader(InMemoryUsersService(hook: { (_) throws(StorageError) in throw .gone }))

        await tester.start(.load)

        #expect(tester.dispatched(Users.State.Action.self) == [.failed(.gone)])
        #expect(tester.outcome?.description == "finished")
    }

    @Test func `a cancelled load is not a failure`() async throws {
        let tester = try await loader(InMemoryUsersService(hook: untilCancelled))
        await tester.start(.load)

        await tester.cancel()

        #expect(tester.dispatched(Users.State.Action.self) == [.loadCancelled])
        #expect(tester.outcome?.description == "cancelled")
    }

    @Test func `a service that reports cancellation by itself has failed, and leaves nothing loading`() async throws {
        let given = StorageError(.cancelled, file: "users")
        let tester = try await loader(InMemoryUsersService(hook: { (_) throws(StorageError) in throw given }))

        await tester.start(.load)

        #expect(tester.dispatched(Users.State.Action.self) == [.failed(given)])
    }

    @Test func `arrivals and departures are recorded, and the caller gets the result`() async throws {
        let service = InMemoryUsersService()
        let tester = try await doorkeeper(service)

        await tester.start(.arrive(name: " Ann "))
        let arrived = tester.output
        await tester.start(.leave(name: "ANN"))

        #expect(arrived == Users.Passage(user: .here("Ann", since: 3), isNews: true))
        #expect(tester.output == Users.Passage(user: .away("Ann", since: 3), isNews: true))
        #expect(await service.value.users == [.away("Ann", since: 3)])
        #expect(
            tester.dispatched(Users.State.Action.self) == [
                .changed(Snapshot(users: [.here("Ann", since: 3)], revision: 2)),
                .changed(Snapshot(users: [.away("Ann", since: 3)], revision: 3)),
            ])
    }

    @Test(arguments: [Users.Command.arrive(name: "a/b"), .leave(name: "a/b")])
    func `an invalid name never reaches the service`(command: Users.Command) async throws {
        let service = InMemoryUsersService(hook: { (_) throws(StorageError) in Issue.record("It was asked.") })
        let tester = try await doorkeeper(service)

        await tester.start(command)

        #expect(failure(of: tester) == .noName("a/b", .slash("a/b")))
    }

    @Test func `nobody leaves who has never arrived`() async throws {
        let service = InMemoryUsersService()
        let tester = try await doorkeeper(service)

        await tester.start(.leave(name: "Ann"))

        #expect(failure(of: tester) == .unknown("Ann"))
        #expect(await service.saves.isEmpty)
    }

    @Test func `who is there already arrives without news`() async throws {
        let tester = try await doorkeeper(InMemoryUsersService(UserDirectory([.here("Ann")])))

        await tester.start(.arrive(name: "ANN"))

        let ann = User(id: "ann", name: "ANN", presence: .online, since: .sample(0))
        #expect(tester.output == Users.Passage(user: ann, isNews: false))
    }

    @Test func `what can't be recorded is the caller's failure`() async throws {
        let tester = try await doorkeeper(InMemoryUsersService(beforeSave: { (_) throws(StorageError) in throw .gone }))

        await tester.start(.arrive(name: "Ann"))

        #expect(failure(of: tester) == .notNoted(.gone))
    }

    @Test func `a cancelled arrival has not failed`() async throws {
        let tester = try await doorkeeper(InMemoryUsersService(hook: untilCancelled))
        await tester.start(.arrive(name: "Ann"))

        await tester.cancel()

        #expect(tester.outcome?.description == "cancelled")
    }

    private func failure(of tester: SagaTester<Users.Command>) -> UsersError? {
        guard case .failed(let error)? = tester.outcome else { return nil }
        return error as? UsersError
    }

    private var untilCancelled: @Sendable (UserDirectory.Change?) async throws(StorageError) -> Void {
        { (_) throws(StorageError) in
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw StorageError(.cancelled, file: "users")
        }
    }
}
