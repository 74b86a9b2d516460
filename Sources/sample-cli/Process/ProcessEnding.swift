// Dispatch sources may be used from any thread; the module doesn't say so to the compiler.
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Ends the process in an orderly way, wherever that is decided: what has to be tidied up is.
final class ProcessEnding: Sendable {
    private struct Tidying {
        var works: [Int: @Sendable () -> Void] = [:]
        var next = 0
        /// What the next signal does instead of ending the process.
        var interrupt: (@Sendable () -> Void)?
        var signal: Int32?
    }

    private let tidying = Mutex(Tidying())
    private let end = Mutex(())
    private let sources = Mutex<[any DispatchSourceSignal]>([])

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
        defer { tidying.withLock { $0.works.removeValue(forKey: key) }?() }
        return try await work()
    }

    /// Does a piece of work that the first signal interrupts, instead of ending the process. A second one ends it at once.
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
    /// Work whose folder is tidied away under it fails, and would end the process with a status of its own otherwise.
    func end(with status: Int32) -> Never {
        end.withLock { _ in
            for tidy in tidying.withLock({ $0.works }).values { tidy() }
            // Not `exit`, which runs what other threads may be in the middle of using. Who comes second waits for it.
            _exit(status)
        }
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
