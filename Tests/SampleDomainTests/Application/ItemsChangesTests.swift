import Foundation
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// The differences between two lists.
@Suite struct ItemsChangesTests {
    private let list = Items.List((1...5).map { .sample($0) })

    private func changes(_ change: (inout Items.List) -> Void) -> [Items.Change] {
        var other = list
        change(&other)
        return other.changes(since: list)
    }

    @Test func `an unchanged list has no changes`() {
        #expect(list.changes(since: list).isEmpty)
    }

    @Test func `new items are added, and missing ones deleted, those first`() {
        let changes = changes { list in
            _ = list.add(id: .sample(9), title: "New", placement: .top, at: .sample(9))
            _ = list.remove(.sample(2))
        }

        #expect(changes.map(\.words) == ["deleted Item 2", "added New"])
    }

    @Test func `titles, completions, and reopenings are reported, even several of one item`() {
        let done = Items.List([.sample(1, completed: 7), .sample(2)])
        let now = Items.List([
            .sample(1), .sample(2, title: "Other", completed: 8),
        ])

        #expect(
            now.changes(since: done).map(\.words) == [
                "reopened Item 1", "renamed Other from Item 2", "completed Other",
            ])
    }

    @Test func `a completion that was repeated unobserved is reported`() {
        let changes = Items.List([.sample(1, completed: 8)]).changes(since: Items.List([.sample(1, completed: 7)]))

        #expect(changes.map(\.words) == ["completed Item 1"])
    }

    @Test(arguments: 0..<5, 0..<5)
    func `a move is reported for the item that was moved, in either direction`(from: Int, to: Int) {
        let id = list.active[from].id

        let changes = changes { _ = $0.move(id, to: to, at: .sample(99)) }

        #expect(changes.map(\.words) == (from == to ? [] : ["moved Item \(from + 1) from \(from + 1) to \(to + 1)"]))
    }

    @Test func `making room moves no item`() {
        let changes = changes { list in
            _ = list.add(id: .sample(9), title: "New", placement: .top, at: .sample(9))
            _ = list.remove(.sample(3))
        }

        #expect(changes.map(\.words) == ["deleted Item 3", "added New"])
    }

    /// If there is no room between two orders, all items are renumbered, but only one of them has been moved.
    @Test func `renumbering is not moving`() {
        let tight = Items.List((1...5).map { .sample($0, order: $0) })
        var moved = tight
        _ = moved.move(.sample(4), to: 1, at: .sample(99))

        #expect(Set(moved.active.map(\.order)).isDisjoint(with: tight.active.map(\.order)))
        #expect(moved.changes(since: tight).map(\.words) == ["moved Item 4 from 4 to 2"])
    }

    @Test func `a completed or reopened item hasn't moved`() {
        let changes = changes { list in
            _ = list.change(.sample(1), where: { _ in true }, at: .sample(99)) { $0.completed = .sample(99) }
        }

        #expect(changes.map(\.words) == ["completed Item 1"])
    }

    /// Removing every item that is reported as moved from both lists leaves the others in the same order, and no fewer
    /// moves would be sufficient.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `whatever is done, items that haven't moved keep their relative order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // With little or no room between them, so that all are renumbered now and then.
        let gap = Int.random(in: 1...4, using: &random)
        let before = Items.List((1...Int.random(in: 1...9, using: &random)).map { .sample($0, order: $0 * gap) })
        var now = before
        let moves = Int.random(in: 0...3, using: &random)
        for _ in 0..<moves {
            let ids = now.active.map(\.id)
            let id = ids[Int.random(in: ids.indices, using: &random)]
            _ = now.move(id, to: .random(in: ids.indices, using: &random), at: .sample(99))
        }

        let changes = now.changes(since: before)

        let moved = Set(changes.map(\.item.id))
        #expect(
            before.active.map(\.id).filter { !moved.contains($0) }
                == now.active.map(\.id).filter { !moved.contains($0) })
        #expect(changes.count <= moves)
        for case .moved(let item, let from, let to) in changes {
            #expect(before.active[from - 1].id == item.id && now.active[to - 1].id == item.id)
        }
    }
}

extension Items.Change {
    fileprivate var words: String {
        switch self {
        case .added(let item): "added \(item.title)"
        case .renamed(let item, let title): "renamed \(item.title) from \(title)"
        case .completed(let item): "completed \(item.title)"
        case .reopened(let item): "reopened \(item.title)"
        case .moved(let item, let from, let to): "moved \(item.title) from \(from) to \(to)"
        case .deleted(let item): "deleted \(item.title)"
        }
    }
}
