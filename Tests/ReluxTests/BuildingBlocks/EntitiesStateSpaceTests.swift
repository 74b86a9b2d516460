import Relux
import ReluxTesting
import Testing

/// Every change of every small collection, each made to the collection and to a plain array.
@Suite("Entities: every small collection", .timeLimit(.minutes(10)))
struct EntitiesStateSpaceTests {
    @Test("every change gives the same result and order as a plain array")
    func agreement() {
        let report = StateSpace.explore(
            from: Pair(),
            actions: Pair.changes,
            invariants: Pair.invariants,
            reduce: { $0.make($1) }
        )

        // Every permutation of every subset of three elements, each with one of two values.
        #expect(report.states == 1 + 3 * 2 + 6 * 4 + 6 * 8)
        #expect(report.isComplete)
    }
}

private struct Pair: Equatable {
    typealias Item = EntitiesModelTests.Item
    typealias Change = EntitiesModelTests.Change

    private(set) var entities = Relux.Entities<Item>()
    private(set) var model: [Item] = []
    private(set) var isAnswered = true
    // Equality of collections compares only the elements. The positions must distinguish states as well, or a corrupt
    // collection would be taken for one that was already visited.
    private(set) var positions: [Int: Int] = [:]

    static let invariants: [StateSpace.Invariant<Pair>] = [
        .init("the elements are those of the array, in its order") { Array($0.entities) == $0.model },
        .init("every element is found where it stands, and no other is") { pair in
            pair.positions
                == Dictionary(uniqueKeysWithValues: pair.model.enumerated().map { ($1.id, $0) })
        },
        .init("no id occurs twice") { Set($0.entities.ids).count == $0.entities.count },
        .init("the change has the answer of the array") { $0.isAnswered },
    ]

    static let changes: [Change] = {
        let (ids, positions) = (0..<3, [Int.min] + (-1...3) + [.max])
        var changes: [Change] = [.sort, .removeValues(divisor: 8), .removeMany(ids: [2, 0, 2])]
        for id in ids {
            changes += [.remove(id: id), .assign(nil, id: id)]
            changes += ids.flatMap { [.rename(id: id, to: $0), .renameInPlace(id: id, to: $0)] }
            changes += positions.map { .move(id: id, to: $0) }
            for value in [1, 8] {
                let item = Item(id: id, value: value)
                changes += [.append(item), .upsert(item), .edit(id: id, value: value)]
                changes += positions.map { .insert(item, at: $0) }
                changes += ids.map { .assign(item, id: $0) }
            }
        }
        return changes
    }()

    mutating func make(_ change: Change) {
        let answer = change.apply(to: &entities)
        isAnswered = answer == change.apply(to: &model)
        positions = [:]
        for id in -1...3 { positions[id] = entities.position(id: id) }
    }
}
