import Foundation
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

    private func service(on system: FileSystem = .live) -> FileSessionService {
        FileSessionService(folder: folder.path, lockLimit: .seconds(3_600), clock: JumpingClock(), system: system)
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

        await #expect(throws: StorageError.self) { try await service.signIn(ada) }
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

        await #expect(throws: StorageError.self) { try await service.signOut() }
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
        let broken = StorageError(
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

        guard case .failure(let error) = first else { throw try #require(nil as StorageError?) }
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
}
