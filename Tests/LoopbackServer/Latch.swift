import Foundation

/// Blocks threads until it is opened, once and permanently. It uses a pipe, so that threads can wait for other events
/// as well.
package final class Latch: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Creates a closed latch.
    ///
    /// - Throws: If no pipe is available.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError(call: "pipe", code: errno) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Releases all waiting and future callers.
    package func open() {
        // The byte is never read, so that every waiter sees it.
        _ = write(writing, [1], 1)
    }

    /// Whether the latch has been opened.
    var isOpen: Bool {
        var readiness = readiness
        return poll(&readiness, 1, 0) > 0
    }

    var readiness: pollfd { pollfd(fd: reading, events: Int16(POLLIN), revents: 0) }
}
