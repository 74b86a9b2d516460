import Foundation
import Relux
import SampleDomain

extension Items.Source {
    /// A source whose dates are all noon, and whose ids are counted from a number.
    static func counting(from first: Int = 100) -> Items.Source {
        let next = Counter(first)
        return Items.Source(now: { noon }, makeID: { .sample(next.take()) })
    }
}

private final class Counter: Sendable {
    private let value: Lock<Int>

    init(_ first: Int) {
        value = Lock(first)
    }

    func take() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }
}
