import Synchronization

/// A check that a scenario has stated in one run, and whether there was anything to check.
///
/// - Isolation: Any thread.
final class StatedCheck: Sendable {
    /// The report of an exploration in which no run has had anything to check. The same in every run.
    let warning: String

    private let hasChecked = Atomic(false)

    init(warning: String) {
        self.warning = warning
    }

    /// Whether it has checked anything.
    var isUsed: Bool { hasChecked.load(ordering: .relaxed) }

    func noteUse() {
        hasChecked.store(true, ordering: .relaxed)
    }
}
