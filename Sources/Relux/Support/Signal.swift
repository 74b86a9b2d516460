/// A shared ``Latch`` without a value.
final class Signal: Sendable {
    private let latch = Latch<Void>()
    /// Kept alive for as long as the signal is.
    private let companion: (any AnyObject & Sendable)?

    init(keeping companion: (any AnyObject & Sendable)? = nil) {
        self.companion = companion
    }

    var hasFired: Bool { latch.hasFired }

    func fire() { latch.fire(()) }

    nonisolated(nonsending) func wait() async { await latch.wait() }

    /// - Returns: Whether the signal fired before the task was cancelled.
    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool { await latch.waitUnlessCancelled() != nil }
}
