import Synchronization

/// A page that equals all others, and counts how often it is compared.
final class ComparedPage: Equatable, Sendable {
    private let count = Atomic(0)

    var comparisons: Int { count.load(ordering: .relaxed) }

    static func == (lhs: ComparedPage, rhs: ComparedPage) -> Bool {
        lhs.count.add(1, ordering: .relaxed)
        return true
    }
}
