import Foundation
import Synchronization

/// Restores the terminal in every case, including a crash, in which almost nothing is permitted.
///
/// All state is static, because there is one terminal per process and a signal handler can only access globals.
enum TerminalRescue {
    /// The data that a handler needs, in memory that is never moved or freed.
    private struct Kit {
        var attributes: termios
        var sequence: UnsafePointer<UInt8>
        var length: Int
        var input: Int32
        var output: Int32
    }

    /// The signals of a crash.
    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS]

    /// The other signals that end a program by default, apart from those that the full screen or the process handles.
    static var endings: [Int32] {
        let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
        #if canImport(Darwin)
            return common + [SIGEMT]
        #else
            // SIGRTMIN to SIGRTMAX in C.
            let realTime = __libc_current_sigrtmin()...__libc_current_sigrtmax()
            return common + [SIGIO, SIGPWR, SIGSTKFLT] + realTime
        #endif
    }

    private static let standing = Atomic(ScreenStanding.untouched)

    // nonisolated(unsafe): written only by `prepare` and `remember`, before the terminal becomes a full screen for the
    // first time. Its attributes are read only by callers that have found the terminal to be one.
    nonisolated(unsafe) private static let kit = UnsafeMutablePointer<Kit>.allocate(capacity: 1)

    static var isShown: Bool { standing.load(ordering: .acquiring) == .entered }

    static var isOver: Bool { standing.load(ordering: .acquiring) == .over }

    /// Whether this program may read from the terminal and change it, as opposed to a shell or another program. If this
    /// can't be determined, as with a terminal that controls no session or belongs to another container, the result is
    /// true.
    static func isInForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group <= 0 || group == getpgrp()
    }

    /// Saves the mode of the terminal and protects it from now on. Must be called once per process.
    static func prepare(_ mode: termios, input: Int32, output: Int32) {
        let bytes = Array(TerminalSequences.leave.utf8)
        let sequence = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        sequence.initialize(from: bytes, count: bytes.count)
        kit.initialize(
            to: Kit(
                attributes: mode, sequence: sequence, length: bytes.count, input: input, output: output))
        // Globals are initialized lazily. They are initialized here, so that a handler never has to.
        _ = isShown
        for number in crashes { signal(number, handleEnd) }
        for number in endings {
            let former = signal(number, handleEnd)
            // A signal that the parent has set to be ignored, as `nohup` does, doesn't end the program.
            if ProcessEnding.isIgnored(former) { signal(number, SIG_IGN) }
        }
    }

    /// Replaces the saved mode of the terminal. Must be called before the terminal becomes a full screen for the first
    /// time.
    static func remember(_ mode: termios) { kit.pointee.attributes = mode }

    /// Marks the terminal as a full screen, possibly only if it was one before. Returns whether that is permitted.
    static func begin(again isAgain: Bool) -> Bool {
        let isInForeground = isInForeground(kit.pointee.input)
        let next = change { $0.entering(again: isAgain, inForeground: isInForeground) }
        return isInForeground && next == .entered
    }

    /// Restores the terminal, possibly for good, unless that has already been done. Safe to call in a signal handler.
    ///
    /// If the terminal accepts no output for a second, it is given up, because nothing would be visible there anyway.
    /// In the background, only the alternate screen is left. The input mode is up to the program in the foreground.
    static func restore(forGood isOver: Bool) {
        guard change({ $0.leaving(forGood: isOver) }).isBeingLeft else { return }
        defer { _ = change { $0.hasLeft(forGood: isOver) } }
        let kit = Self.kit
        if isInForeground(kit.pointee.input) { _ = tcsetattr(kit.pointee.input, TCSANOW, &kit.pointee.attributes) }
        var readiness = pollfd(fd: kit.pointee.output, events: Int16(POLLOUT), revents: 0)
        if poll(&readiness, 1, 1_000) > 0 { _ = write(kit.pointee.output, kit.pointee.sequence, kit.pointee.length) }
    }

    private static func change(_ next: (ScreenStanding) -> ScreenStanding) -> ScreenStanding {
        var before = standing.load(ordering: .acquiring)
        while true {
            let after = next(before)
            let result = standing.compareExchange(
                expected: before, desired: after, ordering: .acquiringAndReleasing)
            if result.exchanged { return after }
            before = result.original
        }
    }

    /// Must neither allocate nor lock. The signal is raised again and ends the program as if it hadn't been handled.
    private static let handleEnd: @convention(c) (Int32) -> Void = { number in
        restore(forGood: true)
        signal(number, SIG_DFL)
        raise(number)
    }
}
