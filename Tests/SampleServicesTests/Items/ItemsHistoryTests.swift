import Foundation
import SampleServices
import Testing

@Suite struct ItemsHistoryTests {
    private func history(_ changes: ItemsHistory.Change..., limit: Int = 3) -> ItemsHistory {
        var history = ItemsHistory(limit: limit)
        for change in changes { history.apply(change) }
        return history
    }

    @Test func `an undone step can be redone, and a redone one undone`() {
        let undone = history(.done(.sample(1)), .done(.sample(2)), .undone(.sample(2)))
        let redone = history(.done(.sample(1)), .done(.sample(2)), .undone(.sample(2)), .redone(.sample(2)))

        #expect(undone.done == [.sample(1)] && undone.undone == [.sample(2)])
        #expect(redone.done == [.sample(1), .sample(2)] && redone.undone == [])
    }

    @Test func `a new step discards what was undone`() {
        let history = history(.done(.sample(1)), .undone(.sample(1)), .done(.sample(2)))

        #expect(history.done == [.sample(2)] && history.undone == [])
    }

    @Test func `a step that grows stays one step, and is the next to undo`() {
        let more = ItemsStep(id: .sample(1), changes: ItemsStep.sample(1).changes + ItemsStep.sample(9).changes)
        let none = ItemsStep(id: .sample(1), changes: [])

        #expect(history(.grown(.sample(1)), .done(.sample(2)), .grown(more)).done == [.sample(2), more])
        #expect(
            history(.done(.sample(2)), .grown(.sample(1)), .undone(.sample(1)), .grown(more)).done == [
                .sample(2), more,
            ])
        #expect(history(.grown(.sample(1)), .grown(.sample(1))) == history(.done(.sample(1))))
        #expect(history(.grown(more), .grown(none)) == ItemsHistory(limit: 3))
    }

    @Test func `when there are more steps than the limit, the oldest are discarded`() {
        let history = history(.done(.sample(1)), .done(.sample(2)), .done(.sample(3)), .done(.sample(4)))

        #expect(history.done == [.sample(2), .sample(3), .sample(4)])
    }

    @Test func `a longer history that is read is truncated as well, the most distant steps first`() {
        let history = ItemsHistory(
            done: [.sample(1), .sample(2)], undone: [.sample(5), .sample(4), .sample(3)], limit: 4
        )

        #expect(history.done == [.sample(1), .sample(2)] && history.undone == [.sample(4), .sample(3)])
        #expect(ItemsHistory(done: [.sample(1)], limit: -1).done == [])
    }

    @Test func `reporting the same change twice has no further effect`() {
        let once = history(.done(.sample(1)), .undone(.sample(1)))
        let retried = history(.done(.sample(1)), .undone(.sample(1)), .done(.sample(1)), .undone(.sample(1)))

        #expect(retried == once)
    }

    @Test func `a step redone while another process added one can be undone`() {
        let history = history(.done(.sample(1)), .undone(.sample(1)), .done(.sample(2)), .redone(.sample(1)))

        #expect(history.done == [.sample(2), .sample(1)] && history.undone == [])
    }

    @Test func `a step of which nothing is left is discarded`() {
        let nothing = ItemsStep(id: .sample(1), changes: [])

        #expect(history(.done(.sample(1)), .undone(nothing)) == ItemsHistory(limit: 3))
        #expect(history(.done(.sample(1)), .undone(.sample(1)), .redone(nothing)) == ItemsHistory(limit: 3))
    }

    @Test func `a step that another process has already undone stays where that put it`() {
        let nothing = ItemsStep(id: .sample(1), changes: [])

        let history = history(.done(.sample(1)), .undone(.sample(1)), .undone(nothing))

        #expect(history.done == [] && history.undone == [.sample(1)])
    }

    @Test func `when there are too many items, the oldest steps are discarded, but never the newest`() {
        let half = ItemsHistory.largestSize / 2
        let change = ItemsStep.Change(before: nil, after: .sample(1))
        func step(_ number: Int, size: Int) -> ItemsStep {
            ItemsStep(id: .sample(number), changes: Array(repeating: change, count: size))
        }
        var history = ItemsHistory()

        for (number, size) in [(1, 1), (2, half), (3, half)] { history.apply(.done(step(number, size: size))) }
        let afterThree = history.done.map(\.id)
        history.apply(.done(step(4, size: 3 * half)))

        #expect(afterThree == [.sample(2), .sample(3)])
        #expect(history.done.map(\.id) == [.sample(4)])
    }

    @Test func `when titles are long, the oldest steps are discarded, but never the newest`() {
        let title = String(repeating: "x", count: ItemsHistory.largestFileSize / 4)
        func step(_ number: Int, count: Int) -> ItemsStep {
            let change = ItemsStep.Change(before: nil, after: .sample(number, title: title))
            return ItemsStep(id: .sample(number), changes: Array(repeating: change, count: count))
        }
        var history = ItemsHistory()

        for number in 1...5 { history.apply(.done(step(number, count: 1))) }
        let afterFive = history.done.map(\.id)
        history.apply(.done(step(6, count: 9)))

        #expect(afterFive == [.sample(3), .sample(4), .sample(5)])
        #expect(history.done.map(\.id) == [.sample(6)])
    }
}
