import Foundation
import Testing

@testable import SampleServices

@Suite struct FileLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path(of: "lock") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `there is one holder at a time, even in one process`() throws {
        var first = try FileLock.ifFree(path: path)
        let second = try FileLock.ifFree(path: path)

        #expect(first != nil)
        #expect(second == nil)

        first = nil
        #expect(try FileLock.ifFree(path: path) != nil)
    }

    @Test func `a waiting caller gets the lock when the holder releases it`() async throws {
        let holder = Lock(try FileLock.ifFree(path: path))
        let clock = JumpingClock { passed in
            if passed >= .seconds(2) { holder.withLock { $0 = nil } }
        }

        _ = try await FileLock.acquired(path: path, within: .seconds(10), on: clock)

        #expect(clock.now.offset >= .seconds(2))
        #expect(clock.now.offset < .seconds(3))
    }

    @Test func `waiting ends with a typed error at the limit`() async throws {
        let holder = try FileLock.ifFree(path: path)
        let clock = JumpingClock()

        let error = await #expect(throws: StorageError.self) {
            _ = try await FileLock.acquired(path: path, within: .seconds(3), on: clock)
        }

        withExtendedLifetime(holder) {}
        guard case .locked(let waited)? = error?.reason else { throw try #require(error) }
        #expect(waited == clock.now.offset)
        #expect(waited >= .seconds(3) && waited < .seconds(4))
    }

    @Test func `a cancelled task stops waiting`() async throws {
        let holder = try FileLock.ifFree(path: path)
        let clock = JumpingClock { _ in throw CancellationError() }

        let error = await #expect(throws: StorageError.self) {
            _ = try await FileLock.acquired(path: path, within: .seconds(3), on: clock)
        }

        withExtendedLifetime(holder) {}
        #expect(error == StorageError(.cancelled, file: path))
    }

    @Test func `a folder in its place is reported`() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)

        let error = await #expect(throws: StorageError.self) {
            _ = try await FileLock.acquired(path: path, within: .seconds(3), on: JumpingClock())
        }

        #expect(error == StorageError(.notAFile, file: path))
    }
}
