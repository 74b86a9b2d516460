import Foundation
import Synchronization

/// The signals that a full screen has to hear of, as bytes in a pipe: so that one thread can wait for them and
/// for keys.
///
/// There is one set of handlers a process.
enum TerminalSignals {
    /// The window has another size, somebody stops or continues the program, or the terminal goes away.
    static let numbers = [SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGQUIT]

    /// Where the handlers write.
    private static let writer = Atomic<Int32>(-1)

    /// Begins to hear of them.
    ///
    /// - Returns: Where a byte comes for each signal, its number; nil where the system has no pipe left.
    static func listen() -> Int32? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe must not make a handler wait; nor an empty one the reader.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writer.store(ends[1], ordering: .releasing)
        for number in numbers { TerminalRescue.obey(number, with: handle) }
        return ends[0]
    }

    /// Lets this thread get them, whatever thread has made it, and be stopped.
    static func unblock() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers + [SIGTTOU] { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Has a signal come that nobody has sent.
    static func tell(_ number: Int32) { handle(number) }

    /// Stops the program as the shell expects it, and returns when it goes on, or at once where nobody could let it go
    /// on. Only in a thread that gets the signals.
    ///
    /// - Parameter number: SIGTSTP where somebody has asked for it, SIGTTOU where the program may not write.
    static func stop(by number: Int32) {
        let isHeard = numbers.contains(number)
        if isHeard { TerminalRescue.disobey(number) }
        raise(number)
        if isHeard { TerminalRescue.obey(number, with: handle) }
    }

    /// Nothing here allocates or locks.
    private static let handle: @convention(c) (Int32) -> Void = { signal in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(writer.load(ordering: .acquiring), &byte, 1)
        errno = code
    }
}
