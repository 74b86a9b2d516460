import Foundation
import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Changing many items at once is equivalent to changing them one by one.
@Suite struct ItemsListManyTests {
    private func list(_ generator: inout SeededGenerator, count: Int) -> Items.List {
        Items.List(
            (0..<count).map { number in
                let completed = Bool.random(using: &generator) ? Int.random(in: 0...3, using: &generator) : nil
                return .sample(number, order: Int.random(in: 0...9, using: &generator), completed: completed)
            })
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `changing and removing many is changing and removing each`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...30, using: &generator)
        let before = list(&generator, count: count)
        let ids = (0...count).filter { _ in Bool.random(using: &generator) }.map(Item.ID.sample)
        var (changed, removed, one) = (before, before, before)
        var formers: Items.List.Formers = [:]

        let changes = changed.change(ids, where: \.isActive, at: noon) { $0.completed = noon }
        let removals = removed.remove(ids)
        for id in ids { formers.merge(one.change([id], where: \.isActive, at: noon) { $0.completed = noon }) { $1 } }

        #expect(changed == one && changes == formers)
        #expect(removed == Items.List(before.all.filter { !ids.contains($0.id) }))
        let found = before.items(ids)
        #expect(removals == Items.List.Formers(uniqueKeysWithValues: found.ids.map { ($0, before[$0]) }))
        #expect(found.ids.allSatisfy { found[$0] == before[$0] })
        #expect(changed == Items.List(changed.all.shuffled(using: &generator)))
        #expect(Set(found.ids) == Set(ids).intersection(before.all.map(\.id)))
    }

    @Test func `many are appended in their order, after the others, and none twice`() {
        var list = Items.List([.sample(1, order: 7), .sample(2, completed: 1)])
        let additions = [3, 4, 1, 2, 3].map { Items.Addition(id: .sample($0), title: "New \($0)") }

        let formers = list.append(additions, at: noon)

        #expect(list.titles == ["Item 1", "New 3", "New 4", "Item 2"])
        #expect(list.orders == [7, 1_007, 2_007])
        #expect(formers == [.sample(3): nil, .sample(4): nil])
    }

    @Test func `if no number is left, the others are renumbered`() {
        var list = Items.List([.sample(1, order: .max - 1_500)])

        let formers = list.append([3, 4].map { Items.Addition(id: .sample($0), title: "New") }, at: noon)

        #expect(list.active.map(\.id) == [.sample(1), .sample(3), .sample(4)])
        #expect(list.orders == [1_000, 2_000, 3_000])
        #expect(formers == [.sample(1): .sample(1, order: .max - 1_500), .sample(3): nil, .sample(4): nil])
    }
}
