import Foundation
import SampleServices
import Testing

@Suite(.timeLimit(.minutes(10))) struct BundledPresenceTests {
    private let service = BundledPresence(rhythm: .microseconds(1), now: Date(timeIntervalSince1970: 0))

    @Test func `at first, some are online and some are not`() async {
        let users = await service.users()

        #expect(users.map(\.name) == ["Ada", "Björn", "Chandra", "Dmitri", "Eun-Ji"])
        #expect(users.map(\.isOnline) == [true, false, true, false, true])
        #expect(users.allSatisfy { $0.since < Date(timeIntervalSince1970: 0) })
    }

    @Test func `they come and go one after another`() async {
        let start = Date.now
        var changes: [User] = []

        for await user in service.changes().prefix(6) { changes.append(user) }

        #expect(changes.map(\.id) == ["ada", "chandra", "eun-ji", "björn", "dmitri", "ada"])
        #expect(changes.map(\.isOnline) == [false, false, false, true, true, true])
        #expect(changes.allSatisfy { $0.since >= start })
    }

    @Test func `the changes end with the task that follows them`() async {
        let changes = service.changes()
        let (firsts, first) = AsyncStream.makeStream(of: User.self)
        let task = Task {
            for await user in changes { first.yield(user) }
        }

        for await _ in firsts { break }
        task.cancel()

        await task.value
    }
}
