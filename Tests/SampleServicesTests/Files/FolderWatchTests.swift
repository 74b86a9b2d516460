import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FolderWatchTests {
    private let folder: TemporaryFolder
    private let watched: String
    private let queue = DispatchQueue(label: "folder-watch-tests")

    init() throws {
        folder = try TemporaryFolder()
        watched = folder.path(of: "watched")
        try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: false)
    }

    private func watch() throws -> (watch: FolderWatch, events: AsyncStream<FolderWatch.Event>) {
        let (events, continuation) = AsyncStream.makeStream(of: FolderWatch.Event.self)
        let watch = try FolderWatch(
            folder: watched, queue: queue, whenClosed: { continuation.finish() }, handler: { continuation.yield($0) }
        )
        return (watch, events)
    }

    @Test func `it reports that a file was put in place, written, and removed`() async throws {
        let (watch, events) = try watch()
        var iterator = events.makeAsyncIterator()

        try folder.write("text", to: "elsewhere")
        rename(folder.path(of: "elsewhere"), watched + "/file")
        #expect(await iterator.next() == .changed)
        try FileManager.default.removeItem(atPath: watched + "/file")
        #expect(await iterator.next() == .changed)

        withExtendedLifetime(watch) {}
    }

    @Test func `it reports that the folder is gone, even if another one has taken its place`() async throws {
        let (watch, events) = try watch()

        // One step for the watch, which can't check before the other folder exists.
        try queue.sync {
            try FileManager.default.removeItem(atPath: watched)
            try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: false)
        }

        #expect(await events.contains(.vanished))
        withExtendedLifetime(watch) {}
    }

    @Test func `it holds no system resources once it is cancelled`() async throws {
        let (watch, events) = try watch()
        let before = OpenWatches.count(of: watched)

        watch.cancel()
        for await _ in events {}

        #expect(before == OpenWatches.one && OpenWatches.count(of: watched) == 0)
    }

    @Test func `it holds no system resources once it is released`() async throws {
        var held: FolderWatch?
        let events: AsyncStream<FolderWatch.Event>
        (held, events) = try watch()

        withExtendedLifetime(held) {}
        held = nil
        for await _ in events {}

        #expect(OpenWatches.count(of: watched) == 0)
    }

    @Test func `however many folders a process watches, it uses only one of the user's few instances`() throws {
        let folders = (0..<200).map { folder.path(of: "folder \($0)") }
        for path in folders {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        let watches = try folders.map { try FolderWatch(folder: $0, queue: queue) { _ in } }

        let descriptors = folders.map { OpenWatches.descriptors(of: $0) }
        #expect(descriptors.allSatisfy { $0.count == OpenWatches.one })
        #expect(Set(descriptors).count == 1)
        withExtendedLifetime(watches) {}
    }

    @Test func `several watches of one folder are all notified, and one that stops leaves the others`() async throws {
        let (first, firstEvents) = try watch()
        let (second, secondEvents) = try watch()
        var (firstIterator, secondIterator) = (firstEvents.makeAsyncIterator(), secondEvents.makeAsyncIterator())

        try Data().write(to: URL(filePath: watched + "/one"))
        #expect(await firstIterator.next() == .changed)
        #expect(await secondIterator.next() == .changed)
        first.cancel()
        while await firstIterator.next() != nil {}
        #expect(OpenWatches.count(of: watched) == OpenWatches.one)
        try queue.sync {
            try FileManager.default.removeItem(atPath: watched)
        }

        var hasVanished = false
        while !hasVanished, let event = await secondIterator.next() { hasVanished = event == .vanished }
        #expect(hasVanished)
        withExtendedLifetime(second) {}
    }

    @Test func `a folder that doesn't exist can't be watched`() throws {
        #expect(throws: SystemError(code: ENOENT)) {
            _ = try FolderWatch(folder: folder.path(of: "nowhere"), queue: queue) { _ in }
        }
    }
}
