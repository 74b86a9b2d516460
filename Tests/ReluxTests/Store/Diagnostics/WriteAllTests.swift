import Foundation
import Testing

@testable import Relux

@Suite("Writing of whole texts", .timeLimit(.minutes(10)))
struct WriteAllTests {
    @Test("a text is written completely to a pipe that takes only a part of it at a time", arguments: [true, false])
    func pipe(isNonBlocking: Bool) async throws {
        let pipe = Pipe()
        let file = pipe.fileHandleForWriting.fileDescriptor
        if isNonBlocking { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) }
        // More than a pipe holds.
        let text = (0..<100_000).map { "line \($0)\n" }.joined()

        Thread.detachNewThread {
            writeAll(text, to: file)
            try? pipe.fileHandleForWriting.close()
        }

        #expect(try pipe.fileHandleForReading.readToEnd() == Data(text.utf8))
    }

    @Test("a pipe that nobody reads any more is given up")
    func closedPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()

        writeAll("text", to: pipe.fileHandleForWriting.fileDescriptor)
    }
}
