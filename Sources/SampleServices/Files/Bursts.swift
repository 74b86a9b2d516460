/// Groups the events of a folder into bursts: events in quick succession count as one.
///
/// A burst ends after a full pause without events, or when it reaches the maximum duration.
///
/// - Isolation: ``note(_:)`` can be called from anywhere, ``next()`` by one task at a time.
final class Bursts: Sendable {
    private struct Contents {
        /// The number of events noted.
        var count = 0
        /// The value of `count` at the end of the last reported burst.
        var told = 0
        var hasVanished = false
    }

    private let contents = Lock(Contents())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let pause: Duration
    private let limit: Duration
    private let clock: any Clock<Duration>

    init(pause: Duration, limit: Duration, clock: any Clock<Duration>) {
        (self.pause, self.limit, self.clock) = (pause, limit, clock)
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Records an event.
    func note(_ event: FolderWatch.Event) {
        contents.withLock { contents in
            contents.count += 1
            if event == .vanished { contents.hasVanished = true }
        }
        signal.yield()
    }

    /// Waits for the end of the next burst.
    ///
    /// - Returns: The event to report, or nil if the task was cancelled. The loss of the folder is reported without
    ///   waiting for the end of the burst.
    func next() async -> FolderWatch.Event? {
        // A signal may be left over from a burst that has already been reported.
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
