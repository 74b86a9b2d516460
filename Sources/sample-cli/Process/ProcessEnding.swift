// Dispatch sources may be used from any thread, but the module isn't annotated accordingly.
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Ends the process in an orderly way, from anywhere and on signals.
///
/// The first signal during ``run(interruptedBy:cleanup:_:)`` asks the work to end early. Any other one ends the
/// process, after the cleanup of the work.
final class ProcessEnding: Sendable {
    private struct Contents {
        /// The effect of the next signal, instead of ending the process.
        var interrupt: (@Sendable () -> Void)?
        var cleanup: (@Sendable (_ isCutShort: Bool) -> Void)?
        /// The last thing to do, however the process is ended.
        var last: (@Sendable () -> Void)?
        /// The signal that has interrupted the work.
        var signal: Int32?
        var isHungUp = false
        /// Whether the last thing is being done.
        var isLeaving = false
        var sources: [any DispatchSourceSignal] = []

        mutating func takeCleanup() -> (@Sendable (Bool) -> Void)? {
            defer { (interrupt, cleanup) = (nil, nil) }
            return cleanup
        }
    }

    private let contents = Mutex(Contents())
    /// Held during the cleanup, so that the process never ends in the middle of it.
    private let gate = NSLock()
    private let exit: @Sendable (Int32) -> Never

    /// Creates the instance of a process. The default is `_exit`, because `exit` would run handlers and destructors of
    /// objects that other threads may still be using.
    init(exit: @escaping @Sendable (Int32) -> Never = { _exit($0) }) {
        self.exit = exit
    }

    /// Runs work, and then its cleanup, which also runs if the process is ended in the meantime. Returns the result of
    /// the work, and the signal that interrupted it, or nil.
    func run<Value>(
        interruptedBy interrupt: @escaping @Sendable () -> Void,
        cleanup: @escaping @Sendable (_ isCutShort: Bool) -> Void = { _ in },
        _ work: () async throws -> Value
    ) async rethrows -> (value: Value, signal: Int32?) {
        contents.withLock { ($0.interrupt, $0.cleanup, $0.signal) = (interrupt, cleanup, nil) }
        defer { cleanUp() }
        let value = try await work()
        return (value, contents.withLock { $0.signal })
    }

    /// Does something when the process is ended from now on, after the cleanup of the work; nil for nothing.
    func finally(_ last: (@Sendable () -> Void)?) {
        contents.withLock { $0.last = last }
    }

    private func cleanUp() {
        gate.lock()
        defer { gate.unlock() }
        contents.withLock { $0.takeCleanup() }?(false)
    }

    /// Interrupts the current work as a signal does, or ends the process.
    ///
    /// The end of a terminal is reported several times, by SIGHUP and by every access to it. All of these are one
    /// signal.
    func obey(_ number: Int32) {
        let (interrupt, isRepeated, isLeaving) = contents.withLock { contents in
            defer { contents.interrupt = nil }
            let isRepeated = number == SIGHUP && contents.isHungUp
            if number == SIGHUP { contents.isHungUp = true }
            if contents.interrupt != nil { contents.signal = number }
            return (contents.interrupt, isRepeated, contents.isLeaving)
        }
        if let interrupt {
            interrupt()
        } else if !isRepeated {
            if isLeaving { exit(128 + number) } else { end(with: 128 + number) }
        }
    }

    /// Runs the cleanup of the current work, does what is to be done at last, and ends the process. A second caller
    /// waits until it has ended. A further signal doesn't wait for what is done at last, which may never end: a pipe
    /// that nobody reads.
    func end(with status: Int32) -> Never {
        // Never unlocked, so that nobody else ends the process.
        gate.lock()
        contents.withLock { $0.takeCleanup() }?(true)
        let last = contents.withLock { contents in
            contents.isLeaving = true
            return contents.last.take()
        }
        last?()
        exit(status)
    }

    /// Ends the process on SIGINT, SIGTERM, SIGHUP and SIGQUIT with the status that shells expect, and ignores SIGPIPE.
    ///
    /// Interrupting a save is harmless: the file is replaced atomically, and the system releases the lock.
    func obeySignals() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            let former = signal(number, SIG_IGN)
            // A program started by `nohup` outlives its terminal. C functions can't be compared otherwise; both are
            // pointers of the same size as an integer.
            let isIgnored = unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            // In a thread of its own: a source calls its handler once at a time, and the end may take long.
            if number != SIGHUP || !isIgnored {
                observe(number) { [self] in Thread.detachNewThread { self.obey(number) } }
            }
        }
    }

    /// Calls a handler for every signal with a number, instead of what the system would do.
    func observe(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
        source.setEventHandler(handler: handler)
        // Until the source is registered, which another thread does, the signal would be lost.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        contents.withLock { $0.sources.append(source) }
    }
}
