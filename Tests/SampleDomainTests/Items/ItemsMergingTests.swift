import ReluxTesting
import SampleServices
import Testing

@testable import SampleDomain

/// Two programs that have changed one list at the same time.
@Suite struct ItemsMergingTests {
    private let base = Items.List.of("a", "b", "c")

    private func merged(_ ours: Items.List.Action..., with theirs: Items.List.Action...) -> [String] {
        let (ours, theirs) = (ours.reduce(into: base) { $0.reduce($1) }, theirs.reduce(into: base) { $0.reduce($1) })
        return ours.merged(into: theirs, since: base).titles
    }

    @Test func `what both have added stays, each where it was put`() {
        #expect(
            merged(.added(.sample(4, "top"), .top), with: .added(.sample(5, "end"), .end))
                == ["top", "a", "b", "c", "end"])
    }

    @Test func `different changes are both kept`() {
        #expect(merged(.renamed(.sample(1), "A"), with: .completed([.sample(2)], noon)) == ["A", "c", "(b)"])
        #expect(merged(.deleted([.sample(1)]), with: .renamed(.sample(3), "C")) == ["b", "C"])
        #expect(merged(.moved(.sample(3), to: 0), with: .added(.sample(4, "d"), .end)) == ["c", "a", "b", "d"])
    }

    @Test func `a change wins over a deletion`() {
        #expect(merged(.deleted([.sample(1)]), with: .renamed(.sample(1), "A")) == ["A", "b", "c"])
        #expect(merged(.renamed(.sample(1), "A"), with: .deleted([.sample(1)])) == ["A", "b", "c"])
    }

    @Test func `two changes of different fields of an item are both kept, and of the same field, ours wins`() {
        #expect(merged(.renamed(.sample(1), "A"), with: .completed([.sample(1)], noon)) == ["b", "c", "(A)"])
        #expect(merged(.renamed(.sample(1), "ours"), with: .renamed(.sample(1), "theirs")) == ["ours", "b", "c"])
    }

    @Test func `without a common base, everything stays`() {
        let ours = Items.List([.sample(4, "d"), .sample(1, "a")])

        #expect(Set(ours.merged(into: base, since: nil).titles) == ["a", "b", "c", "d"])
    }

    @Test func `our changes are one step on top of their history`() {
        var theirs = Items.State(base)
        theirs.apply(.renamed(.sample(1), "A"))
        var ours = Items.State(base)
        ours.apply(.added(.sample(4, "d"), .end))
        ours.apply(.added(.sample(5, "e"), .end))

        var merged = Items.State.merged(Items.State(base), ours, theirs)
        #expect(merged.present.titles == ["A", "b", "c", "d", "e"])
        merged.reduce(.undo)
        #expect(merged.present.titles == ["A", "b", "c"])
        merged.reduce(.undo)
        #expect(merged.present == base)
    }

    @Test(arguments: 0..<50)
    func `whatever both have done, nothing that either has written is lost`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = Items.List((1...6).map { .sample($0) })
        let (ours, theirs) = (changed(base, 10, &random), changed(base, 20, &random))

        let merged = ours.merged(into: theirs, since: base)

        for (side, other) in [(ours, theirs), (theirs, ours)] {
            for item in side.items where base.items[id: item.id] != item {
                let both = base.items[id: item.id] != other.items[id: item.id] && other.items.contains(id: item.id)
                #expect(both ? merged.items.contains(id: item.id) : merged.items[id: item.id] == item)
            }
            for item in base.items where !side.items.contains(id: item.id) {
                #expect(merged.items.contains(id: item.id) == (other.items[id: item.id].map { $0 != item } ?? false))
            }
        }
        #expect(merged == Items.List(Array(merged.items)), "active items come first")
        #expect(base.merged(into: theirs, since: base) == theirs)
        #expect(ours.merged(into: base, since: base) == ours)
    }

    /// A list after a few random changes. New items have ids from a number on.
    private func changed(_ list: Items.List, _ first: Int, _ random: inout SeededGenerator) -> Items.List {
        var list = list
        for step in 0..<Int.random(in: 0..<5, using: &random) {
            let id = (list.items.randomElement(using: &random) ?? .sample(1)).id
            switch Int.random(in: 0..<6, using: &random) {
            case 0: list.reduce(.added(.sample(first + step), .top))
            case 1: list.reduce(.added(.sample(first + step), .end))
            case 2: list.reduce(.renamed(id, "\(first + step)"))
            case 3: list.reduce(.completed([id], .sample(first + step)))
            case 4: list.reduce(.moved(id, to: Int.random(in: 0..<6, using: &random)))
            default: list.reduce(.deleted([id]))
            }
        }
        return list
    }
}
