/// The events of a folder, a burst at a time: what follows on each other's heels is one.
///
/// A burst is over when nothing has come for a whole pause, or when it has lasted for as long as a burst may.
///
/// - Isolation: ``note(_:)`` can be called from anywhere; ``next()`` by one task at a time.
final class Bursts: Sendable {
    private struct Contents {
        /// How many events there were.
        var count = 0
        /// How many of them belong to bursts that are over.
        var told = 0
        var hasVanished = false
    }

    private let contents = Lock(Contents())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let pause: Duration
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - pause: For how long nothing has to come.
    ///   - limit: For how long a burst may last.
    ///   - clock: What both are measured on.
    init(pause: Duration, limit: Duration, clock: any Clock<Duration>) {
        (self.pause, self.limit, self.clock) = (pause, limit, clock)
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes note of an event.
    func note(_ event: FolderWatch.Event) {
        contents.withLock { contents in
            contents.count += 1
            if event == .vanished { contents.hasVanished = true }
        }
        signal.yield()
    }

    /// Waits for the end of the next burst.
    ///
    /// - Returns: What has happened; nil once the task has been cancelled. That a folder has vanished is told at once.
    func next() async -> FolderWatch.Event? {
        // A signal may be left over from a burst that has been told.
        repeat {
            var isSignalled = false
            for await _ in signals {
                isSignalled = true
                break
            }
            if !isSignalled || Task.isCancelled { return nil }
        } while contents.withLock { $0.count == $0.told }
        var lasted: Duration = .zero
        while true {
            let before = contents.withLock { $0 }
            if before.hasVanished { return .vanished }
            guard (try? await clock.sleep(for: pause)) != nil else { return nil }
            lasted += pause
            let isOver = contents.withLock { contents in
                let isOver = contents.count == before.count || lasted >= limit
                if isOver { contents.told = before.count }
                return isOver
            }
            if isOver { return contents.withLock { $0.hasVanished } ? .vanished : .changed }
        }
    }
}
