import Testing

@testable import sample_cli

@Suite struct ListCursorTests {
    private func cursor(at index: Int, in list: [String]) -> ListCursor<String> {
        var cursor = ListCursor<String>()
        cursor.follow(count: list.count) { list[$0] }
        cursor.go(to: index, count: list.count) { list[$0] }
        return cursor
    }

    private func follow(_ cursor: ListCursor<String>, _ list: [String]) -> String? {
        var cursor = cursor
        cursor.follow(count: list.count) { list[$0] }
        return cursor.id
    }

    @Test func `it follows its element, and stays in place if that is gone`() {
        #expect(follow(cursor(at: 1, in: ["a", "b", "c"]), ["x", "y", "z", "b"]) == "b")
        #expect(follow(cursor(at: 1, in: ["a", "b", "c"]), ["a", "c"]) == "c")
        #expect(follow(cursor(at: 2, in: ["a", "b", "c"]), ["a"]) == "a")
        #expect(follow(cursor(at: 2, in: ["a", "b", "c"]), []) == nil)
    }

    @Test(
        arguments: [
            (.down, 3), (.up, 1), (.home, 0), (.end, 9), (.pageDown, 6), (.pageUp, 0), (.character("j"), 3),
            (.character("k"), 1), (.character("g"), 0), (.character("G"), 9),
        ] as [(Key, Int)])
    func `keys move through the list, and not beyond it`(key: Key, index: Int) {
        let list = (0..<10).map(String.init)
        var cursor = cursor(at: 2, in: list)

        let goes = cursor.take(key, page: 5, count: list.count) { list[$0] }
        var empty = ListCursor<String>()
        let goesNowhere = empty.take(key, page: 5, count: 0) { _ in "" }

        #expect(goes && cursor.index == index && cursor.id == String(index))
        #expect(goesNowhere && empty.id == nil)
    }

    @Test func `it scrolls until the cursor is visible`() {
        let list = (0..<100).map(String.init)
        var cursor = cursor(at: 50, in: list)

        cursor.scroll(toSee: 51, height: 10, of: 101)
        #expect(cursor.firstRow == 42)
        cursor.scroll(toSee: 45, height: 10, of: 101)
        #expect(cursor.firstRow == 42)
        cursor.scroll(toSee: 41, height: 10, of: 101)
        #expect(cursor.firstRow == 41)
        cursor.scroll(toSee: 3, height: 10, of: 5)
        #expect(cursor.firstRow == 0)
        cursor.scroll(toSee: 3, height: 0, of: 5)
        #expect(cursor.firstRow >= 0)
    }
}
