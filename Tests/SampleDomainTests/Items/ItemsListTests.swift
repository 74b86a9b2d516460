import SampleServices
import Testing

@testable import SampleDomain

/// What is done to the list, one action at a time.
@Suite struct ItemsListTests {
    private let list = Items.List.of("a", "b", "c")

    @Test func `items are added at the top or at the end, and their titles fit in a line`() {
        let changed = list.after(.added(.sample(4, " d\ne\t\u{1B}[0m"), .end), .added(.sample(5, "f"), .top))

        #expect(changed.titles == ["f", "a", "b", "c", "d e [0m"])
    }

    @Test func `an item with a blank title isn't added, and one with a known id isn't either`() {
        #expect(list.after(.added(.sample(4, " \n"), .end), .added(.sample(1, "again"), .top)) == list)
    }

    @Test func `completed items are below, the last completed one first`() {
        let changed = list.after(.completed([.sample(1)], noon), .completed([.sample(2)], noon))

        #expect(changed.titles == ["c", "(b)", "(a)"])
        #expect(changed.after(.added(.sample(4, "d"), .end)).titles == ["c", "d", "(b)", "(a)"])
    }

    @Test func `several items are completed and reopened at once`() {
        let changed = list.after(.completed([.sample(3), .sample(1), .sample(9)], noon))

        #expect(changed.titles == ["b", "(a)", "(c)"])
        #expect(changed.after(.reopened([.sample(1), .sample(3)])).titles == ["b", "a", "c"])
    }

    @Test func `a completed item is frozen until it is reopened`() {
        let frozen = list.after(.completed([.sample(1)], noon))

        #expect(
            frozen.after(
                .renamed(.sample(1), "x"), .moved(.sample(1), to: 0), .completed([.sample(1)], .sample(2))) == frozen)
        #expect(frozen.after(.reopened([.sample(1)]), .renamed(.sample(1), "x")).titles == ["b", "c", "x"])
    }

    @Test(arguments: [(-5, ["c", "a", "b"]), (0, ["c", "a", "b"]), (1, ["a", "c", "b"]), (9, ["a", "b", "c"])])
    func `an item is moved among the active ones`(position: Int, titles: [String]) {
        let changed = list.after(.added(.sample(4, "d"), .end), .completed([.sample(4)], noon))

        #expect(changed.after(.moved(.sample(3), to: position)).titles == titles + ["(d)"])
    }

    @Test func `an item gets another title, unless that is blank`() {
        #expect(list.after(.renamed(.sample(2), " new ")).titles == ["a", "new", "c"])
        #expect(list.after(.renamed(.sample(2), " ")) == list)
    }

    @Test func `deleted items are gone, and those that have gone already don't matter`() {
        #expect(list.after(.deleted([.sample(2), .sample(9), .sample(3)])).titles == ["a"])
    }
}
