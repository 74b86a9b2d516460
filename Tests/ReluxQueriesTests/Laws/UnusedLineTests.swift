import Relux
import ReluxTesting
import Testing

@testable import ReluxQueries

@Suite("The line of unused keys", .timeLimit(.minutes(10)))
struct UnusedLineTests {
    /// A key that counts its copies with an object each.
    private final class Key: Hashable, Sendable {
        let number: Int
        let living: Shared<Int>

        init(_ number: Int, living: Shared<Int>) {
            (self.number, self.living) = (number, living)
            living.change { $0 += 1 }
        }

        deinit { living.change { $0 -= 1 } }

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private struct Numbers: Relux.Query {
        func fetch(_ key: Key, in request: Relux.QueryRequest) async throws -> Int { key.number }
    }

    @Test("a key that is used again and again behind one that isn't leaves no entries")
    func entries() {
        let living = Shared(0)
        let line = UnusedLine<Numbers>()
        line.note(Key(0, living: living), 0, at: .zero)

        for touches in 0..<10_000 { line.note(Key(1, living: living), touches, at: .seconds(touches)) }

        #expect(living.value < 100)
        #expect(line.removeAll(until: .zero).map(\.key.number) == [0])
        #expect(line.firstTimeOrEnd() == .seconds(9_999))
    }

    @Test("keys that are removed leave no entries")
    func removed() {
        let living = Shared(0)
        let line = UnusedLine<Numbers>()
        for number in 0..<1_000 { line.note(Key(number, living: living), 0, at: .zero) }

        #expect(line.removeAll(until: .zero).count == 1_000)

        #expect(living.value < 100)
        #expect(line.firstTimeOrEnd() == nil)
    }
}
