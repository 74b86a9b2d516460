/// A ``Latch`` that several hold.
final class Signal: Sendable {
    /// What a touch of a state has to change for this to fire; nil where each touch is meant.
    let check: (any TouchCheck)?
    private let latch = Latch()

    init(if check: (any TouchCheck)? = nil) {
        self.check = check
    }

    var hasFired: Bool { latch.hasFired }

    func fire() { latch.fire() }

    nonisolated(nonsending) func wait() async { await latch.wait() }

    nonisolated(nonsending) func waitUnlessCancelled() async -> Bool { await latch.waitUnlessCancelled() }
}
