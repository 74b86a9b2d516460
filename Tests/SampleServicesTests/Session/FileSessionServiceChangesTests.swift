import Foundation
import ReluxTesting
import Testing

@testable import SampleServices

/// How a service reports sign-ins and sign-outs elsewhere.
@Suite(.timeLimit(.minutes(10))) struct FileSessionServiceChangesTests {
    private let folder: TemporaryFolder
    private let (ada, bob): (ProfileName, ProfileName)

    init() throws {
        folder = try TemporaryFolder()
        (ada, bob) = (try ProfileName("Ada"), try ProfileName("Bob"))
    }

    private func service(
        on system: FileSystem = .live, whenClosed: (@Sendable () -> Void)? = nil
    ) -> FileSessionService {
        FileSessionService(
            folder: folder.path, lockLimit: .seconds(3_600), clock: JumpingClock(), system: system,
            whenClosed: whenClosed
        )
    }

    /// Another process.
    private var other: FileSessionService { service() }

    private func profile(_ name: ProfileName) -> Profile {
        Profile(name: name, folder: folder.path(of: "profiles/\(name)"))
    }

    /// Moves a file into place in one step.
    private func put(_ text: String) throws {
        try folder.write(text, to: "elsewhere")
        rename(folder.path(of: "elsewhere"), folder.path(of: "session.json"))
    }

    @Test func `it reports who signs in and out elsewhere, and not what it writes itself`() async throws {
        let service = service()
        _ = try await service.current()
        var changes = await service.changesElsewhere().makeAsyncIterator()

        _ = try await service.signIn(ada)
        _ = try await other.signIn(bob)
        let came = await changes.next()
        _ = try await service.signIn(ada)
        try await other.signOut()
        let left = await changes.next()

        #expect(came == .success(profile(bob)))
        #expect(left == .success(nil))
    }

    @Test func `it reports what was written between the last call and the start of the sequence`() async throws {
        let service = service()
        _ = try await service.signIn(ada)
        try await other.signOut()

        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == .success(nil))
    }

    @Test func `a failed change of its own doesn't hide an earlier sign-in elsewhere`() async throws {
        let isFull = Lock(false)
        var system = FileSystem.live
        system.replace = { (path, target) throws(SystemError) in
            if isFull.withLock({ $0 }) { throw SystemError(code: EFBIG) }
            try FileSystem.live.replace(path, target)
        }
        let service = service(on: system)
        _ = try await service.signIn(ada)
        _ = try await other.signIn(bob)
        isFull.withLock { $0 = true }

        await #expect(throws: ProfileServiceError.self) { try await service.signIn(ada) }
        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == .success(profile(bob)))
    }

    @Test func `a failed sign-out doesn't hide an earlier sign-in elsewhere`() async throws {
        let service = service()
        _ = try await service.signIn(ada)
        _ = try await other.signIn(bob)
        let lock = folder.path(of: "session.lock")
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)

        await #expect(throws: ProfileServiceError.self) { try await service.signOut() }
        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == .success(profile(bob)))
    }

    @Test func `what exists at the first check isn't a change`() async throws {
        _ = try await other.signIn(ada)
        let service = service()
        let sequence = await service.changesElsewhere()
        let reader = Task { await sequence.first { _ in true } }

        // Whether it checks before this call or after it, Ada isn't a change.
        _ = try await service.current()
        _ = try await other.signIn(bob)

        #expect(await reader.cancellableValue == .success(profile(bob)))
    }

    @Test func `what one sequence has reported without effect, the next one repeats, until a call has returned it`()
        async throws
    {
        let service = service()
        _ = try await service.signIn(ada)
        try await other.signOut()

        for _ in 0..<2 {
            var changes = await service.changesElsewhere().makeAsyncIterator()
            #expect(await changes.next() == .success(nil))
        }
        _ = try await service.current()
        var changes = await service.changesElsewhere().makeAsyncIterator()
        _ = try await other.signIn(bob)

        #expect(await changes.next() == .success(profile(bob)))
    }

    @Test func `it reports damage once, and continues when it is repaired, with either profile`() async throws {
        let service = service()
        _ = try await service.signIn(ada)
        let good = try folder.read("session.json")
        var changes = await service.changesElsewhere().makeAsyncIterator()
        let broken = ProfileServiceError(
            .damaged("it is not the JSON of a session"), file: folder.path(of: "session.json"))

        try put("broken")
        let first = await changes.next()
        try put(good)
        let second = await changes.next()
        try put("broken")
        let third = await changes.next()
        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        let fourth = await changes.next()

        #expect(first == .failure(broken) && third == .failure(broken))
        #expect(second == .success(profile(ada)) && fourth == .success(nil))
    }

    @Test func `existing damage is reported, and its repair as well`() async throws {
        try put("broken")
        let service = service()
        var changes = await service.changesElsewhere().makeAsyncIterator()
        let first = await changes.next()

        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        let second = await changes.next()

        guard case .failure(let error) = first else { throw try #require(nil as ProfileServiceError?) }
        #expect(error.reason == .damaged("it is not the JSON of a session"))
        #expect(second == .success(nil))
    }

    @Test func `after a failed call, what can be read later is reported`() async throws {
        try put("broken")
        let service = service()
        _ = try? await service.current()
        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        _ = try await other.signIn(ada)

        var changes = await service.changesElsewhere().makeAsyncIterator()

        #expect(await changes.next() == .success(profile(ada)))
    }

    @Test func `changes in quick succession are one change, and the last of them counts`() async throws {
        let clock = ManualClock()
        let service = FileSessionService(folder: folder.path, clock: clock)
        _ = try await service.current()
        let (sequence, bob) = (await service.changesElsewhere(), profile(bob))
        let reader = Task {
            var told: [Profile?] = []
            for await profile in sequence {
                told.append(try profile.get())
                if told.last == bob { break }
            }
            return told
        }

        _ = try await other.signIn(ada)
        await clock.sleepers(atLeast: 1)
        // The burst has started and can't end before the clock is advanced.
        try await other.signOut()
        _ = try await other.signIn(bob.name)
        let time = Task {
            while !Task.isCancelled {
                await clock.sleepers(atLeast: 1)
                await clock.advance(by: .milliseconds(50))
            }
        }
        defer { time.cancel() }

        // The first check may have been late enough to see Ada.
        let told = try await reader.cancellableValue
        #expect(told == [bob] || told == [profile(ada), bob])
    }

    @Test func `it reports that the folder is gone, and ends`() async throws {
        let service = service()
        _ = try await service.current()
        let changes = await service.changesElsewhere()

        try FileManager.default.removeItem(atPath: folder.path)
        var told: [Result<Profile?, ProfileServiceError>] = []
        for await change in changes { told.append(change) }

        #expect(told == [.failure(ProfileServiceError(.folderVanished, file: folder.path))])
    }

    @Test func `a folder that can't be created is reported, and the sequence ends`() async throws {
        try folder.write("", to: "data")

        let changes = await FileSessionService(folder: folder.path(of: "data")).changesElsewhere()
        var told: [Result<Profile?, ProfileServiceError>] = []
        for await change in changes { told.append(change) }

        guard told.count == 1, case .failure(let error) = told[0] else {
            throw try #require(nil as ProfileServiceError?)
        }
        #expect(error.file == folder.path(of: "data"))
    }

    @Test(arguments: [true, false])
    func `however it ends, it holds no system resources`(isCancelled: Bool) async throws {
        let (closing, closed) = AsyncStream.makeStream(of: Void.self)
        let service = service { closed.finish() }
        let (beginning, begun) = AsyncStream.makeStream(of: Int.self)
        let path = folder.path
        _ = try await service.signIn(ada)
        try await other.signOut()

        let reader = Task {
            for await _ in await service.changesElsewhere() {
                begun.yield(OpenWatches.count(of: path))
                if !isCancelled { return }
            }
        }
        let before = await beginning.first { _ in true }
        if isCancelled { reader.cancel() }
        for await _ in closing {}
        await reader.cancellableValue

        #expect(before == OpenWatches.one)
        #expect(OpenWatches.count(of: path) == 0)
    }
}
