import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsListTests {
    @Test func `active items are in their order, followed by completed ones, the latest first`() {
        let list = Items.List([
            .sample(1, completed: 10), .sample(2), .sample(3, order: -5), .sample(4, completed: 20),
            .sample(5, order: 9),
        ])

        #expect(list.active.map(\.title) == ["Item 3", "Item 5", "Item 2"])
        #expect(list.completed.map(\.title) == ["Item 4", "Item 1"])
        #expect(list.titles == ["Item 3", "Item 5", "Item 2", "Item 4", "Item 1"])
        #expect(list.count == 5)
    }

    @Test func `items with the same order are sorted by date of creation, then by id`() {
        let twin = Item(id: .sample(9), title: "Twin", order: 7, created: .sample(1), updated: .sample(1))

        let list = Items.List([.sample(2, order: 7), twin, .sample(1, order: 7)])

        #expect(list.titles == ["Item 1", "Twin", "Item 2"])
    }

    @Test(arguments: [
        (Items.Placement.end, 4_000, ["Item 2", "Item 3", "New"]), (.top, 1_000, ["New", "Item 2", "Item 3"]),
    ])
    func `a new item is a thousand beyond the end at which it is added`(
        placement: Items.Placement,
        order: Int,
        titles: [String]
    ) {
        var list = Items.List([.sample(2), .sample(3), .sample(9, completed: 1)])

        let formers = list.add(id: .sample(10), title: "New", placement: placement, at: noon)

        #expect(list.active.map(\.title) == titles)
        #expect(list[.sample(10)] == Item(id: .sample(10), title: "New", order: order, created: noon, updated: noon))
        #expect(formers == [.sample(10): nil])
    }

    @Test(arguments: [Items.Placement.end, .top])
    func `the first item of all gets the first thousand`(placement: Items.Placement) {
        var list = Items.List([.sample(9, completed: 1)])

        _ = list.add(id: .sample(1), title: "New", placement: placement, at: noon)

        #expect(list.orders == [1_000])
    }

    @Test func `at the limits of numbers, adding renumbers the active items`() {
        var list = Items.List([.sample(1), .sample(2, order: .max)])

        let formers = list.add(id: .sample(3), title: "New", placement: .end, at: noon)

        #expect(list.active.map(\.title) == ["Item 1", "Item 2", "New"])
        #expect(list.orders == [1_000, 2_000, 3_000])
        #expect(formers == [.sample(2): .sample(2, order: .max), .sample(3): nil])
    }

    @Test func `an id that already exists adds nothing`() {
        let before = Items.List([.sample(1)])
        var list = before

        let formers = list.add(id: .sample(1), title: "New", placement: .end, at: noon)

        #expect(list == before)
        #expect(formers.isEmpty)
    }

    @Test(arguments: [
        (1, 0, ["1", "2", "3", "4"]), (1, 1, ["2", "1", "3", "4"]), (1, 3, ["2", "3", "4", "1"]),
        (4, 0, ["4", "1", "2", "3"]), (3, 1, ["1", "3", "2", "4"]), (2, 2, ["1", "3", "2", "4"]),
        (2, 99, ["1", "3", "4", "2"]), (2, -1, ["2", "1", "3", "4"]),
    ])
    func `a moved item is at its index, with an order between its neighbours`(
        number: Int,
        index: Int,
        titles: [String]
    ) {
        let before = Items.List((1...4).map { .sample($0, title: "\($0)") })
        var list = before

        let formers = list.move(.sample(number), to: index, at: noon)

        #expect(list.titles == titles)
        #expect(list.orders == list.orders.sorted() && Set(list.orders).count == 4)
        #expect(formers == (list == before ? [:] : [.sample(number): .sample(number, title: "\(number)")]))
        #expect(list == before || list[.sample(number)]?.updated == noon)
    }

    @Test func `without room between the neighbours the active items are renumbered`() {
        var list = Items.List([
            .sample(1, order: 1), .sample(2, order: 2), .sample(3, order: 3_000), .sample(9, completed: 1),
        ])

        let formers = list.move(.sample(3), to: 1, at: noon)

        #expect(list.titles == ["Item 1", "Item 3", "Item 2", "Item 9"])
        #expect(list.orders == [1_000, 2_000, 3_000])
        #expect(list.active.allSatisfy { $0.updated == noon })
        #expect(Set(formers.keys) == [.sample(1), .sample(2), .sample(3)])
        #expect(formers[.sample(2)] == .sample(2, order: 2))
        #expect(list[.sample(9)] == .sample(9, completed: 1))
    }

    @Test func `a thousand moves into the same gap keep the order`() {
        var list = Items.List((1...5).map { .sample($0) })
        var expected = list.titles

        for _ in 0..<1_000 {
            _ = list.move(list.active[4].id, to: 1, at: noon)
            expected.insert(expected.removeLast(), at: 1)

            #expect(list.titles == expected)
        }
    }

    @Test func `a completed item can't be moved`() {
        let before = Items.List([.sample(1), .sample(2), .sample(3, completed: 1)])
        var list = before

        let formers = list.move(.sample(3), to: 0, at: noon)

        #expect(list == before)
        #expect(formers.isEmpty)
    }

    @Test func `a change that changes nothing isn't one`() {
        let before = Items.List([.sample(1)])
        var list = before

        let formers = list.change([.sample(1)], where: { _ in true }, at: noon) { $0.title = "Item 1" }

        #expect(list == before)
        #expect(formers.isEmpty)
    }
}
