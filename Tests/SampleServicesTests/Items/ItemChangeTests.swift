import SampleServices
import Testing

@Suite struct ItemChangeTests {
    @Test func `an insertion stores the item`() {
        let item = Item.sample(1)

        let stored = ItemChange.insert(item).applied(to: nil)

        #expect(stored == item)
    }

    @Test func `an insertion made twice stores the later version`() {
        let later = Item.sample(1, title: "Later")

        let stored = ItemChange.insert(later).applied(to: .sample(1))

        #expect(stored == later)
    }

    // Found by the simulation of two front ends: the result of saving a new item was lost, the other front end renamed
    // the item, and the retry restored the old title.
    @Test("An insertion made twice leaves what was changed in between")
    func retriedInsertion() {
        let item = Item.sample(1)
        let theirs = item.with { ($0.title, $0.updated) = ("Theirs", .sample(20)) }

        let stored = ItemChange.insert(item).applied(to: theirs)

        #expect(stored == theirs)
    }

    @Test func `an update keeps what was changed elsewhere in other fields`() {
        let base = Item.sample(1)
        let mine = base.with { ($0.title, $0.updated) = ("Mine", .sample(10)) }
        let theirs = base.with { ($0.order, $0.completed, $0.updated) = (7, .sample(20), .sample(20)) }

        let stored = ItemChange.update(from: base, to: mine).applied(to: theirs)

        #expect(stored == theirs.with { $0.title = "Mine" })
    }

    @Test func `of two updates of one field the later one wins`() {
        let base = Item.sample(1)
        let mine = base.with { ($0.title, $0.updated) = ("Mine", .sample(30)) }
        let theirs = base.with { ($0.title, $0.updated) = ("Theirs", .sample(20)) }

        let stored = ItemChange.update(from: base, to: mine).applied(to: theirs)

        #expect(stored == mine)
    }

    @Test func `an updated item that was deleted elsewhere is restored`() {
        let base = Item.sample(1, completed: .sample(5))
        let reopened = base.with { ($0.completed, $0.updated) = (nil, .sample(6)) }

        let stored = ItemChange.update(from: base, to: reopened).applied(to: base.with { $0.order = 3 })

        #expect(stored == reopened.with { $0.order = 3 })
    }

    @Test func `an updated item that was deleted elsewhere comes back`() {
        let base = Item.sample(1)
        let mine = base.with { $0.title = "Mine" }

        let stored = ItemChange.update(from: base, to: mine).applied(to: nil)

        #expect(stored == mine)
    }

    @Test(arguments: [Item.sample(1), nil])
    func `a deletion leaves nothing, whatever was there`(stored: Item?) {
        let change = ItemChange.delete(.sample(1))

        let result = change.applied(to: stored)

        #expect(result == nil)
    }
}
