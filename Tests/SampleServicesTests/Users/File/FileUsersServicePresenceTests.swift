import Foundation
import ReluxTesting
import Testing

@testable import SampleServices

/// Following a real folder. Bursts end immediately here, so that one change may arrive as one value or as several.
@Suite(.timeLimit(.minutes(10))) struct FileUsersServicePresenceTests {
    private typealias Told = Result<UsersSnapshot, UsersServiceError>

    private let folder: TemporaryFolder
    private let service: FileUsersService
    private let ann: User.Name

    init() throws {
        folder = try TemporaryFolder()
        service = FileUsersService(folder: folder.path, clock: JumpingClock(), now: { .sample(1) })
        ann = try User.Name("Ann")
    }

    /// The same folder in another process.
    private var other: FileUsersService {
        FileUsersService(folder: folder.path, clock: JumpingClock(), now: { .sample(2) })
    }

    /// Takes values until one satisfies a condition.
    private func first(
        of presence: inout AsyncStream<Told>.Iterator,
        where isWanted: (UsersSnapshot) -> Bool
    ) async throws -> UsersSnapshot {
        while let told = await presence.next() {
            let snapshot = try told.get()
            if isWanted(snapshot) { return snapshot }
        }
        throw CancellationError()
    }

    /// Moves a file into place in one step.
    private func put(_ text: String, as name: String) throws {
        try folder.write(text, to: "elsewhere")
        rename(folder.path(of: "elsewhere"), folder.path(of: "users/\(name)"))
    }

    @Test func `it first reports the current users, and creates the folder`() async throws {
        var presence = await service.presence().makeAsyncIterator()

        #expect(await presence.next() == .success(UsersSnapshot(users: [], revision: 1)))
        #expect(try folder.names == ["users"])
    }

    @Test func `it reports users who arrive and leave elsewhere`() async throws {
        _ = try await service.arrive(ann)
        var presence = await service.presence().makeAsyncIterator()
        let before = try await presence.next()?.get()

        _ = try await other.leave(ann)
        let left = try await first(of: &presence) { $0.users.first?.presence == .offline }
        _ = try await other.arrive(try User.Name("Bob"))
        let both = try await first(of: &presence) { $0.users.count == 2 }
        try FileManager.default.removeItem(atPath: folder.path(of: "users/ann.json"))
        let bob = try await first(of: &presence) { $0.users.count == 1 }

        #expect(before?.users == [User(id: "ann", name: "Ann", presence: .online, since: .sample(1))])
        #expect(left.users == [User(id: "ann", name: "Ann", presence: .offline, since: .sample(2))])
        #expect(both.users.map(\.id) == ["ann", "bob"] && bob.users.map(\.id) == ["bob"])
        #expect(left.revision < both.revision && both.revision < bob.revision)
    }

    @Test func `it reports users whose arrival it recorded itself`() async throws {
        var presence = await service.presence().makeAsyncIterator()
        _ = await presence.next()

        _ = try await service.arrive(ann)

        #expect(try await first(of: &presence) { !$0.users.isEmpty }.users.map(\.id) == ["ann"])
    }

    @Test func `it reports what happened between the call and the first check`() async throws {
        let sequence = await service.presence()
        _ = try await other.arrive(ann)

        var presence = sequence.makeAsyncIterator()

        #expect(try await presence.next()?.get().users.map(\.id) == ["ann"])
    }

    @Test func `a damaged file is reported, doesn't end the sequence, and its repair is reported`() async throws {
        _ = try await service.arrive(ann)
        let good = try folder.read("users/ann.json")
        var presence = await service.presence().makeAsyncIterator()
        _ = await presence.next()

        try put("garbage", as: "ann.json")
        let damaged = try await first(of: &presence) { !$0.damages.isEmpty }
        _ = try await other.arrive(try User.Name("Bob"))
        let both = try await first(of: &presence) { !$0.users.isEmpty }
        try put(good, as: "ann.json")
        let mended = try await first(of: &presence) { $0.users.count == 2 }

        let error = UsersServiceError(.damaged("it is no JSON object"), file: folder.path(of: "users/ann.json"))
        #expect(damaged.users == [] && damaged.damages == [error])
        #expect(both.users.map(\.id) == ["bob"] && both.damages == [error])
        #expect(mended.users.map(\.id) == ["ann", "bob"] && mended.damages == [])
    }

    /// Follows on a clock controlled by the test. The result is the number of users in each value, until that number is
    /// reached.
    private func following(on clock: ManualClock, until count: Int) async -> Task<[Int], any Error> {
        let calm = FileUsersService.Calm(pause: .seconds(1), limit: .seconds(60))
        let sequence = await FileUsersService(folder: folder.path, calm: calm, clock: clock).presence()
        return Task {
            var told: [Int] = []
            for await snapshot in sequence {
                told.append(try snapshot.get().users.count)
                if told.last == count { break }
            }
            return told
        }
    }

    /// Advances the time whenever the clock is slept on, until a task has ended.
    private func value(of reader: Task<[Int], any Error>, on clock: ManualClock) async throws -> [Int] {
        let time = Task {
            while !Task.isCancelled {
                await clock.sleepers(atLeast: 1)
                await clock.advance(by: .seconds(1))
            }
        }
        defer { time.cancel() }
        return try await reader.cancellableValue
    }

    @Test func `a burst is one value, and time passes on the given clock`() async throws {
        let clock = ManualClock()
        let reader = await following(on: clock, until: 3)

        _ = try await other.arrive(ann)
        await clock.sleepers(atLeast: 1)
        // The burst has started and can't end before the clock is advanced.
        for name in ["Bob", "Cid"] { _ = try await other.arrive(try User.Name(name)) }
        let told = try await value(of: reader, on: clock)

        // The first check may have been early enough to see nobody.
        #expect(told == [0, 3] || told == [1, 3])
    }

    @Test func `a change that affects no user isn't reported`() async throws {
        let clock = ManualClock()
        let reader = await following(on: clock, until: 1)

        try put("no user", as: "note.txt")
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
        _ = try await other.arrive(ann)
        let told = try await value(of: reader, on: clock)

        #expect(told == [0, 1])
    }

    @Test func `it reports that the folder is gone, and ends`() async throws {
        var presence = await service.presence().makeAsyncIterator()
        _ = await presence.next()

        try FileManager.default.removeItem(atPath: folder.path(of: "users"))
        let last = await presence.next()

        #expect(last == .failure(UsersServiceError(.folderVanished, file: folder.path(of: "users"))))
        #expect(await presence.next() == nil)
    }

    @Test func `a folder that can't be created is reported, and the sequence ends`() async throws {
        try folder.write("", to: "users")
        var presence = await service.presence().makeAsyncIterator()

        let told = await presence.next()

        #expect(told == .failure(UsersServiceError(.system(.folder, code: ENOTDIR), file: folder.path(of: "users"))))
        #expect(await presence.next() == nil)
    }

    @Test(arguments: Ending.allCases)
    func `however it ends, it holds no system resources`(ending: Ending) async throws {
        let (closing, closed) = AsyncStream.makeStream(of: Void.self)
        let service = FileUsersService(
            folder: folder.path, clock: JumpingClock(), whenClosed: { closed.finish() }
        )
        let path = service.folder
        let (beginning, begun) = AsyncStream.makeStream(of: Int.self)

        let reader = Task {
            let presence = await service.presence()
            for await told in presence {
                if case .failure = told { return }
                begun.yield(OpenWatches.count(of: path))
                if ending == .broken { return }
            }
        }
        let before = await beginning.first { _ in true }
        switch ending {
        case .broken: break
        case .cancelled: reader.cancel()
        case .vanished: try FileManager.default.removeItem(atPath: path)
        }
        for await _ in closing {}
        await reader.cancellableValue

        #expect(before == OpenWatches.one)
        #expect(OpenWatches.count(of: path) == 0)
    }

    enum Ending: CaseIterable {
        case broken, cancelled, vanished
    }
}
