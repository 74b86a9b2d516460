import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileTextLinesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func lines(_ text: String, name: String = "titles.txt") throws -> FileTextLines {
        try folder.write(text, to: name)
        return FileTextLines(path: folder.path(of: name))
    }

    private func failure(of lines: FileTextLines) async -> StorageError? {
        do throws(StorageError) {
            _ = try await lines.next(10)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file is read a number of lines at a time`() async throws {
        let lines = try lines("a\nb\nc\n")

        let first = try await lines.next(2)
        let second = try await lines.next(2)

        #expect(first == ["a", "b"] && second == ["c"])
        #expect(try await lines.next(2) == nil)
        #expect(try await lines.next(2) == nil)
    }

    @Test func `long lines are returned in smaller batches`() async throws {
        let line = String(repeating: "x", count: 60_000)
        let lines = try lines(Array(repeating: line, count: 400).joined(separator: "\n"))

        let first = try await lines.next(1_000)?.count ?? 0
        let second = try await lines.next(1_000)?.count ?? 0

        #expect((250..<300).contains(first) && first + second == 400)
    }

    @Test func `the lines before a damaged one are returned first`() async throws {
        let file = folder.path(of: "bad.txt")
        try Data(Array("a\n".utf8) + [0xFF, 0x0A]).write(to: URL(filePath: file))
        let lines = FileTextLines(path: file)

        #expect(try await lines.next(10) == ["a"])
        #expect(await failure(of: lines) == StorageError(.invalidUTF8, file: file, line: 2))
        #expect(await failure(of: lines) == StorageError(.invalidUTF8, file: file, line: 2))
    }

    @Test func `a text that can't be read says why`() async throws {
        try folder.write("", to: "file")
        let missing = folder.path(of: "missing")
        let below = folder.path(of: "file/below")

        #expect(await failure(of: FileTextLines(path: missing)) == StorageError(.notFound, file: missing))
        #expect(await failure(of: FileTextLines(path: below)) == StorageError(.notFound, file: below))
        #expect(await failure(of: FileTextLines(path: folder.path)) == StorageError(.notAFile, file: folder.path))
        let closed = FileTextLines(descriptor: -1, name: "nowhere")
        #expect(await failure(of: closed) == StorageError(.system(.read, code: EBADF), file: "nowhere"))
    }

    @Test func `a pipe is read to its end, line by line as the lines arrive`() async throws {
        let pipe = Pipe()
        let lines = FileTextLines(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")

        try pipe.fileHandleForWriting.write(contentsOf: Data("a\nb\nc".utf8))
        let first = try await lines.next(2)
        try pipe.fileHandleForWriting.close()
        let last = try await lines.next(2)

        #expect(first == ["a", "b"])
        #expect(last == ["c"])
        #expect(try await lines.next(2) == nil)
    }

    @Test func `a cancelled caller doesn't wait for an idle pipe`() async throws {
        let pipe = Pipe()
        let lines = FileTextLines(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
        let reading = Task { await failure(of: lines) }

        reading.cancel()

        await withTaskCancellationHandler {
            #expect(await reading.value == StorageError(.cancelled, file: "pipe"))
            #expect(await failure(of: lines) == StorageError(.cancelled, file: "pipe"))
        } onCancel: {
            // At the time limit, closing the pipe ends a wait that nothing else has ended.
            try? pipe.fileHandleForWriting.close()
        }
    }

    @Test func `a named pipe is waited for until it has a writer`() async throws {
        let path = folder.path(of: "fifo")
        try #require(mkfifo(path, 0o600) == 0)
        let lines = FileTextLines(path: path)
        // A thread of its own, because opening a pipe for writing waits for a reader.
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)
            try? writer?.write(contentsOf: Data("a\n".utf8))
            try? writer?.close()
        }

        #expect(try await lines.next(1) == ["a"])
        #expect(try await lines.next(1) == nil)
    }
}
