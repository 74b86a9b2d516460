import Foundation
import SampleServices
import Testing

@Suite(.timeLimit(.minutes(10))) struct InMemoryUsersServiceTests {
    private let ann = User(id: "ann", name: "Ann", presence: .offline, since: .sample(1))

    @Test func `it records arrivals and departures, and says whether they changed anything`() async throws {
        let service = InMemoryUsersService([ann], now: { .sample(5) })

        let first = try await service.arrive(try User.Name("ANN"))
        let second = try await service.arrive(try User.Name("Ann"))
        let third = try await service.leave(try User.Name("ann"))
        let fourth = try await service.leave(try User.Name("ann"))

        #expect(first == Passage(User(id: "ann", name: "ANN", presence: .online, since: .sample(5)), isNews: true))
        #expect(!second.isNews && second.user.name == "Ann")
        #expect(third == Passage(User(id: "ann", name: "Ann", presence: .offline, since: .sample(5)), isNews: true))
        #expect(fourth == Passage(third.user, isNews: false))
        #expect(try await service.users().users == [third.user])
    }

    @Test func `a user who has never arrived can't leave`() async throws {
        let service = InMemoryUsersService()
        let name = try User.Name("Bob")

        await #expect(throws: UsersServiceError(.unknown("Bob"), file: "memory")) { try await service.leave(name) }
        #expect(await service.snapshot.users.isEmpty)
    }

    @Test func `it reports the current users to every reader, and then every change`() async throws {
        let service = InMemoryUsersService([ann])
        var first = await service.presence().makeAsyncIterator()
        var second = await service.presence().makeAsyncIterator()
        let before = [await first.next(), await second.next()]

        _ = try await service.arrive(try User.Name("Bob"))

        let now = Result<_, UsersServiceError>.success(await service.snapshot)
        #expect(before == [.success(UsersSnapshot(users: [ann], revision: 1)), before[0]])
        #expect([await first.next(), await second.next()] == [now, now])
    }

    @Test func `a failure ends its sequences, and a call that its hook makes fail changes nothing`() async throws {
        let error = UsersServiceError(.diskFull, file: "memory")
        let service = InMemoryUsersService([ann], hook: { () throws(UsersServiceError) in throw error })
        var presence = await service.presence().makeAsyncIterator()
        _ = await presence.next()

        await service.fail(error)

        #expect(await presence.next() == .failure(error))
        #expect(await presence.next() == nil)
        let name = try User.Name("Ann")
        await #expect(throws: error) { try await service.arrive(name) }
        await #expect(throws: error) { try await service.leave(name) }
        await #expect(throws: error) { try await service.users() }
        #expect(await service.snapshot.users == [ann])
    }
}
