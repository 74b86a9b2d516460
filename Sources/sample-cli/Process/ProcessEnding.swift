// Dispatch sources may be used from any thread, but the module isn't annotated accordingly.
@preconcurrency import Dispatch
import Foundation
import Relux

/// Ends the process in an orderly way from anywhere: all registered cleanup is run first.
final class ProcessEnding: Sendable {
    private struct Tidying {
        var works: [Int: @Sendable () -> Void] = [:]
        var next = 0
        /// The handler that the next signal calls instead of ending the process.
        var interrupt: (@Sendable () -> Void)?
        var signal: Int32?
        var isHungUp = false
        /// The status given by the first caller that ends the process.
        var status: Int32?

        /// Removes the cleanup that was registered last, because it may depend on earlier ones.
        mutating func takeLast() -> (@Sendable () -> Void)? {
            works.keys.max().flatMap { works.removeValue(forKey: $0) }
        }
    }

    private let tidying = Lock(Tidying())
    /// Held during cleanup, so that a caller that ends the process waits for it. Recursive, because cleanup may itself
    /// end the process.
    private let gate = NSRecursiveLock()
    private let exit: @Sendable (Int32) -> Never
    private let sources = Lock<[any DispatchSourceSignal]>([])

    /// Creates the instance of a process. The default is `_exit`, because `exit` would run handlers and destructors of
    /// objects that other threads may still be using.
    init(exit: @escaping @Sendable (Int32) -> Never = { _exit($0) }) {
        self.exit = exit
    }

    /// Whether another thread is currently cleaning up, so that ending the process has to wait for it.
    var isTidying: Bool {
        guard gate.try() else { return true }
        gate.unlock()
        return false
    }

    /// Runs work followed by its cleanup, which also runs if the process is ended during the work.
    func tidyingUp<Value>(
        with tidy: @escaping @Sendable () -> Void,
        after work: () async throws -> Value
    ) async rethrows -> Value {
        let key = tidying.withLock { tidying in
            tidying.next += 1
            tidying.works[tidying.next] = tidy
            return tidying.next
        }
        defer { tidyUp(key) }
        return try await work()
    }

    /// Removes and runs the cleanup in one critical section. Otherwise, ending the process in between would neither run
    /// the cleanup nor wait for it.
    private func tidyUp(_ key: Int) {
        gate.lock()
        defer { gate.unlock() }
        tidying.withLock { $0.works.removeValue(forKey: key) }?()
    }

    /// Runs work that the first signal asks to end early, instead of ending the process as a second one does. Returns
    /// the result of the work, and the signal that interrupted it, or nil.
    func interrupting<Value>(
        with interrupt: @escaping @Sendable () -> Void,
        _ work: () async throws -> Value
    ) async rethrows -> (value: Value, signal: Int32?) {
        tidying.withLock { ($0.interrupt, $0.signal) = (interrupt, nil) }
        defer { tidying.withLock { $0.interrupt = nil } }
        let value = try await work()
        return (value, tidying.withLock { $0.signal })
    }

    /// Interrupts the current work as a signal does, or ends the process.
    ///
    /// The end of a terminal is reported several times, by SIGHUP and by every access to it. All of these are one
    /// signal.
    func obey(_ number: Int32) {
        let (interrupt, isRepeated) = tidying.withLock { tidying in
            defer { tidying.interrupt = nil }
            let isRepeated = number == SIGHUP && tidying.isHungUp
            if number == SIGHUP { tidying.isHungUp = true }
            if tidying.interrupt != nil { tidying.signal = number }
            return (tidying.interrupt, isRepeated)
        }
        if let interrupt { interrupt() } else if !isRepeated { end(with: 128 + number) }
    }

    /// Runs all cleanup and ends the process with the status given by the first caller. It waits for cleanup that is
    /// running on another thread.
    func end(with status: Int32) -> Never {
        // Never unlocked, so that a second caller waits until the process has ended.
        gate.lock()
        let first = tidying.withLock { tidying in
            let first = tidying.status ?? status
            tidying.status = first
            return first
        }
        // One at a time, so that a cleanup that itself ends the process finds the remaining ones.
        while let tidy = tidying.withLock({ $0.takeLast() }) { tidy() }
        exit(first)
    }

    /// Ends the process on SIGINT, SIGTERM and SIGHUP with the status that shells expect, and ignores SIGPIPE.
    ///
    /// Interrupting a save is harmless: the file is replaced atomically, and the system releases the lock.
    func obeySignals() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let former = signal(number, SIG_IGN)
            // A program started by `nohup` outlives its terminal.
            if number == SIGHUP, Self.isIgnored(former) { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { [self] in obey(number) }
            source.activate()
            sources.withLock { $0.append(source) }
        }
    }

    /// Whether a signal was set to be ignored, given its former handler.
    static func isIgnored(_ former: (@convention(c) (Int32) -> Void)?) -> Bool {
        // C functions can't be compared otherwise; both are pointers of the same size as an integer.
        unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
