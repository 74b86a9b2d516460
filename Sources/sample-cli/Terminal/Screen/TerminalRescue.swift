import Foundation
import Synchronization

/// Gives the terminal back as it was, whatever happens: also when the program crashes, where next to nothing is
/// allowed.
///
/// There is one terminal a process, and a handler of a signal reaches nothing but globals.
enum TerminalRescue {
    /// What a handler needs, in memory that nobody moves or frees.
    private struct Kit {
        var attributes: termios
        var sequence: UnsafePointer<UInt8>
        var length: Int
        var input: Int32
        var output: Int32
    }

    /// The signals that mean a crash.
    static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGSYS]

    /// The other signals that end every program which has no use for them, besides those that the full screen or the
    /// process hears of.
    static var endings: [Int32] {
        let common = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ]
        #if canImport(Darwin)
            return common + [SIGEMT]
        #else
            // What C calls SIGRTMIN and SIGRTMAX.
            let realTime = __libc_current_sigrtmin()...__libc_current_sigrtmax()
            return common + [SIGIO, SIGPWR, SIGSTKFLT] + realTime
        #endif
    }

    private static let standing = Atomic(ScreenStanding.untouched)

    // nonisolated(unsafe): written by `prepare` and `remember`, before the terminal is a full screen for the first
    // time; its attributes are read only by who has found it one.
    nonisolated(unsafe) private static let kit = UnsafeMutablePointer<Kit>.allocate(capacity: 1)

    /// Whether the terminal is a full screen at this moment.
    static var isShown: Bool { standing.load(ordering: .acquiring) == .entered }

    /// Whether the terminal was given back for good.
    static var isOver: Bool { standing.load(ordering: .acquiring) == .over }

    /// Whether the terminal is this program's to read from and to change, and not a shell's or another program's. Where
    /// that isn't known, as with a terminal that controls no session or one of another container, it is taken to be.
    static func isInForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group <= 0 || group == getpgrp()
    }

    /// Remembers how the terminal is, and takes care of it from now on. It is called once a process.
    static func prepare(_ mode: TerminalMode, input: Int32, output: Int32) {
        let bytes = Array(TerminalSequences.leave.utf8)
        let sequence = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        sequence.initialize(from: bytes, count: bytes.count)
        kit.initialize(
            to: Kit(
                attributes: mode.attributes, sequence: sequence, length: bytes.count, input: input, output: output))
        // The handler must be the first to need none of the globals: they are made here.
        _ = isShown
        for signal in crashes { obey(signal, with: Self.handleEnd) }
        // What somebody has this program ignore, as `nohup` does with others, doesn't end it.
        for signal in endings where !isIgnored(signal) { obey(signal, with: Self.handleEnd) }
    }

    /// Remembers how the terminal is, in place of what was remembered. It is called before that was ever a full screen.
    static func remember(_ mode: TerminalMode) { kit.pointee.attributes = mode.attributes }

    /// From now on the terminal is a full screen, if that may be.
    ///
    /// - Parameter isAgain: Whether it may be only where it was to be one before.
    /// - Returns: Whether it may be.
    static func begin(again isAgain: Bool) -> Bool {
        let isInForeground = isInForeground(kit.pointee.input)
        let next = change { $0.entering(again: isAgain, inForeground: isInForeground) }
        return isInForeground && next == .entered
    }

    /// Gives the terminal back, if that isn't done. It is safe in a handler of a signal.
    ///
    /// A terminal that takes nothing for a second is given up: nobody would see anything there anyway. In the
    /// background only the other screen is left: how what is typed is treated is up to who has the terminal now.
    ///
    /// - Parameter isOver: Whether it never becomes a full screen again.
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

    /// Lets a function hear of a signal, in whatever thread it comes.
    static func obey(_ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        action.sa_flags = SA_RESTART | SA_ONSTACK
        sigaction(signal, &action, nil)
    }

    /// Lets a signal do again what it does to every program.
    static func disobey(_ signal: Int32) {
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = SIG_DFL
        #else
            action.__sigaction_handler.sa_handler = SIG_DFL
        #endif
        sigaction(signal, &action, nil)
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // unsafeBitCast: both are addresses of C functions, which can't be compared otherwise.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Nothing here allocates or locks. The signal comes again, and ends the program as if it had never been here.
    private static let handleEnd: @convention(c) (Int32) -> Void = { signal in
        restore(forGood: true)
        disobey(signal)
        raise(signal)
    }
}
