import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct ItemsRendererTests {
    @Test func `active items are listed with their positions, followed by completed ones with their dates`() {
        let items = (1...10).map { Item.sample($0) } + [.sample(11, completed: 5), .sample(12, completed: 9)]
        let list = Items.List(items)

        let lines = ItemsRenderer(list: list, style: .plain).lines

        #expect(lines[0] == "To do (10)")
        #expect(lines[1] == "   1  0100  Item 1")
        #expect(lines[10] == "  10  0a00  Item 10")
        #expect(lines[11] == "Done (2)")
        #expect(lines[12] == "  ✓  0c00  Item 12  \(Texts.day(.sample(9)))")
        #expect(lines.count == 14)
    }

    @Test func `if only the history can't be saved, there is no advice to try the change again`() {
        let full = Texts.unrecorded(StorageError(.diskFull, file: "history"))
        let damaged = StorageError(.damagedLine("it is empty"), file: "history", line: 3)

        #expect(full.count == 2 && full[1] == "history: The disk is full.")
        #expect(Texts.unrecorded(damaged).last == damaged.advice)
    }

    @Test func `ids of different lengths keep the titles in one column`() {
        let list = Items.List([.sample(1), .sample(0x101), .sample(2)])

        let lines = ItemsRenderer(list: list, style: .plain).lines

        #expect(lines == ["To do (3)", "  1  010000  Item 1", "  2  0200    Item 2", "  3  010001  Item 257"])
    }

    @Test func `an empty list has no lines`() {
        #expect(ItemsRenderer(list: Items.List(), style: .plain).lines.isEmpty)
    }

    @Test func `titles can't control the terminal`() {
        let list = Items.List([.sample(1, title: "a\u{1B}[2Jb\nc")])

        let lines = ItemsRenderer(list: list, style: .plain).lines

        #expect(lines == ["To do (1)", #"  1  0100  a\u{1B}[2Jb\nc"#])
    }

    @Test func `the result of a command has one line per item, with the short ids of deleted ones`() {
        let renderer = ItemsRenderer(list: Items.List([.sample(1)]), style: .plain)

        #expect(renderer.lines(of: .added(.sample(1)), after: .undo) == ["Added  0100  Item 1"])
        #expect(renderer.lines(of: .changed([.sample(1)]), after: .undo) == ["Changed  0100  Item 1"])
        let words: [(Items.Command, String)] = [
            (.complete([.typed("1")]), "Done"), (.reopen([.typed("1")]), "Reopened"),
            (.move(.typed("1"), position: 2), "Moved"), (.rename(.typed("1"), title: "x"), "Renamed"),
        ]
        for (command, word) in words {
            #expect(renderer.lines(of: .changed([.sample(1)]), after: command) == ["\(word)  0100  Item 1"])
        }
        #expect(
            renderer.lines(of: .deleted([.sample(2), .sample(3)]), after: .undo) == [
                "Deleted  0200  Item 2", "Deleted  0300  Item 3",
            ]
        )
        #expect(renderer.lines(of: .dropped, after: .undo).isEmpty)
    }
}
