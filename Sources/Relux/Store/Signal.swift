/// A ``Latch`` that several hold.
final class Signal: Sendable {
    private let latch = Latch()

    var hasFired: Bool { latch.hasFired }

    func fire() { latch.fire() }

    nonisolated(nonsending) func wait() async { await latch.wait() }

    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool { await latch.waitUnlessCancelled() }
}
