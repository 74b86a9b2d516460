import Foundation
import Synchronization

/// Delivers the signals that a full screen handles as bytes in a pipe (the self-pipe trick), so that one thread can
/// wait for signals and keys.
///
/// All state is static, because there is one set of handlers per process.
enum TerminalSignals {
    /// The window was resized, the program was stopped or continued, the terminal was closed, or the program was asked
    /// to quit.
    static let numbers = [SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGQUIT]
    /// The descriptor to which the handlers write.
    private static let writer = Atomic<Int32>(-1)

    /// Installs the handlers. Returns a descriptor from which the number of each signal can be read as one byte, or nil
    /// if no pipe is available.
    static func listen() -> Int32? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A full pipe must not block a handler, and an empty one must not block the reader.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writer.store(ends[1], ordering: .releasing)
        for number in numbers { signal(number, handle) }
        return ends[0]
    }

    /// Lets the calling thread receive these signals, whatever mask it inherited, and be stopped.
    static func unblock() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers + [SIGTTOU] { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Delivers a signal that nobody has sent.
    static func tell(_ number: Int32) { handle(number) }

    /// Stops the program as the shell expects, by SIGTSTP if the user requested it and by SIGTTOU if the program can't
    /// use the terminal. It returns when the program is continued, or immediately if nothing could continue it. Must be
    /// called in a thread that receives the signals.
    static func stop(by number: Int32) {
        let isHeard = numbers.contains(number)
        if isHeard { signal(number, SIG_DFL) }
        raise(number)
        if isHeard { signal(number, handle) }
    }

    /// Must neither allocate nor lock.
    private static let handle: @convention(c) (Int32) -> Void = { signal in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(writer.load(ordering: .acquiring), &byte, 1)
        errno = code
    }
}
