// Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
@preconcurrency import Dispatch
import Foundation
import Relux

/// Ends the process in an orderly way, wherever that is decided: what has to be tidied up is.
final class ProcessEnding: Sendable {
    private struct Tidying {
        var works: [Int: @Sendable () -> Void] = [:]
        var next = 0
        /// What the next signal does instead of ending the process.
        var interrupt: (@Sendable () -> Void)?
        var signal: Int32?
        /// The status of who ends the process first.
        var status: Int32?

        /// Takes out what was begun last: it may stand on what was begun before.
        mutating func takeLast() -> (@Sendable () -> Void)? {
            works.keys.max().flatMap { works.removeValue(forKey: $0) }
        }
    }

    private let tidying = Lock(Tidying())
    /// Held while anything is tidied up, so that who ends the process waits for it. What is tidied up may end it too.
    private let gate = NSRecursiveLock()
    private let exit: @Sendable (Int32) -> Never
    private let sources = Lock<[any DispatchSourceSignal]>([])

    /// Makes the one of a process.
    ///
    /// - Parameter exit: Ends the process when all is tidied up. The default does so without running what other threads
    ///   may be in the middle of using, as `exit` does.
    init(exit: @escaping @Sendable (Int32) -> Never = { _exit($0) }) {
        self.exit = exit
    }

    /// Whether another thread is tidying up at this moment, so that an end waits for it.
    var isTidying: Bool {
        guard gate.try() else { return true }
        gate.unlock()
        return false
    }

    /// Does a piece of work, and tidies up after it, also when the process is ended in the middle.
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

    /// Taken out and done in one step: in between, an end would find nothing to tidy up, and not wait either.
    private func tidyUp(_ key: Int) {
        gate.lock()
        defer { gate.unlock() }
        tidying.withLock { $0.works.removeValue(forKey: key) }?()
    }

    /// Does a piece of work that the first signal interrupts, instead of ending the process. A second one ends it
    /// at once.
    ///
    /// - Parameters:
    ///   - interrupt: Lets the work come to an end of its own.
    ///   - work: The work. What it returns is returned once it has ended.
    /// - Returns: What the work returns, and the signal that has interrupted it, if one has.
    func interrupting<Value>(
        with interrupt: @escaping @Sendable () -> Void,
        _ work: () async throws -> Value
    ) async rethrows -> (value: Value, signal: Int32?) {
        tidying.withLock { ($0.interrupt, $0.signal) = (interrupt, nil) }
        defer { tidying.withLock { $0.interrupt = nil } }
        let value = try await work()
        return (value, tidying.withLock { $0.signal })
    }

    private func obey(_ number: Int32) {
        let interrupt = tidying.withLock { tidying in
            defer { tidying.interrupt = nil }
            if tidying.interrupt != nil { tidying.signal = number }
            return tidying.interrupt
        }
        if let interrupt { interrupt() } else { end(with: 128 + number) }
    }

    /// Tidies up and ends the process, with the status of who comes first.
    ///
    /// What is being tidied up elsewhere is waited for. Work whose folder is tidied away under it fails, and would end
    /// the process with a status of its own otherwise.
    func end(with status: Int32) -> Never {
        // Never unlocked: who comes second waits until there is no process any more.
        gate.lock()
        let first = tidying.withLock { tidying in
            let first = tidying.status ?? status
            tidying.status = first
            return first
        }
        // One by one: where one of them ends the process itself, it finds the others.
        while let tidy = tidying.withLock({ $0.takeLast() }) { tidy() }
        exit(first)
    }

    /// Ends the process quietly as soon as nobody reads its output any more, also while there is nothing to write.
    ///
    /// A system that doesn't tell leaves that to the next line, as does an output that isn't a pipe.
    func endWhenNobodyReads() {
        Thread.detachNewThread { [self] in
            // Nothing is asked for: what is told all the same is that the other side has gone.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&output, 1, -1) < 0 { if errno != EINTR && errno != EAGAIN { return } }
            if output.revents & Int16(POLLERR | POLLHUP) != 0 { end(with: ExitStatus.success.rawValue) }
        }
    }

    /// Ends the process as shells expect it when it is interrupted, and keeps a closed pipe from ending it at all.
    ///
    /// A save in the middle is no matter: the file is replaced as a whole, and the system drops the lock.
    func obeySignals() {
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { [self] in obey(number) }
            source.activate()
            sources.withLock { $0.append(source) }
        }
    }
}
