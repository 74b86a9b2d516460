import Foundation

/// Holds threads up until it is opened, once and for all. It is a pipe, so that they can wait for other things as well.
package final class Latch: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Makes a latch that is shut.
    ///
    /// - Throws: Why the system gives no pipe.
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

    /// Lets everybody go on, from now on.
    package func open() {
        // Nobody ever reads the byte, so that all who wait see it.
        _ = write(writing, [1], 1)
    }

    /// Whether it has been opened.
    var isOpen: Bool {
        var readiness = readiness
        return poll(&readiness, 1, 0) > 0
    }

    var readiness: pollfd { pollfd(fd: reading, events: Int16(POLLIN), revents: 0) }
}
