/// A ``Latch`` that several hold.
final class Signal: Sendable {
    private let latch = Latch()
    /// What a list that this waits in asks after a touch, without owning it.
    private let check: TouchCheck?

    init(keeping check: TouchCheck? = nil) {
        self.check = check
    }

    var hasFired: Bool { latch.hasFired }

    func fire() { latch.fire() }

    nonisolated(nonsending) func wait() async { await latch.wait() }

    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool { await latch.waitUnlessCancelled() }
}
