import Foundation
import Testing

@testable import SampleServices

/// The fast parser of lines returns the same item as the decoder, or nothing.
@Suite struct ItemScannerTests {
    private func decoded(_ line: String) throws -> Item {
        try JSONDecoder().decode(ItemRecord.self, from: Data(line.utf8)).item()
    }

    private static let items: [Item] = [
        .sample(1), .sample(2, title: "Ünï – 🧭", completed: .sample(3)), .sample(3, order: 0),
        .sample(4, order: -12_345), .sample(5, title: "", order: 999_999_999_999_999_999),
    ]

    @Test(arguments: items) func `a line in the usual form is parsed fast`(item: Item) throws {
        let line = ItemRecord.line(for: item)

        let scanned = try #require(ItemRecord.scan(line[...]))

        #expect(scanned == item)
        #expect(try scanned == decoded(String(decoding: line, as: UTF8.self)))
    }

    @Test(arguments: [
        #"{"id":"ID","title":"a\nb","order":1,"created":"D","updated":"D"}"#,
        #"{"id": "ID","title":"a","order":1,"created":"D","updated":"D"}"#,
        #"{"title":"a","id":"ID","order":1,"created":"D","updated":"D"}"#,
        #"{"id":"ID","title":"a","order":9223372036854775807,"created":"D","updated":"D"}"#,
        #"{"id":"ID","title":"a","order":1,"created":"D","updated":"D","note":"x"}"#,
        #"{"id":"ID","title":"a","order":1,"created":"D","updated":"D","completed":null}"#,
    ])
    func `an item in another form is left to the decoder`(pattern: String) throws {
        let line = pattern.replacing("ID", with: "0000000A-0000-0000-0000-000000000001")
            .replacing("D\"", with: "2026-01-02T03:04:05.678Z\"")

        #expect(ItemRecord.scan(ArraySlice(line.utf8)) == nil)
        #expect(try decoded(line).created == Timestamp.date("2026-01-02T03:04:05.678Z"))
    }

    @Test func `neither a part of a line nor a line with an extra byte is an item`() {
        let line = ItemRecord.line(for: .sample(1, completed: .sample(2)))

        for count in line.indices { #expect(ItemRecord.scan(line[..<count]) == nil) }
        #expect(ItemRecord.scan((line + [0x20])[...]) == nil)
    }

    @Test(arguments: ["01", "-0", "-", "", "1.5", "1e3", "0x1"])
    func `an order that isn't a JSON number is rejected`(number: String) {
        let line = String(decoding: ItemRecord.line(for: .sample(1, order: 7)), as: UTF8.self)

        #expect(ItemRecord.scan(ArraySlice(line.replacing(":7,", with: ":\(number),").utf8)) == nil)
    }

    @Test func `a step in the usual form is parsed fast, too`() throws {
        let changes = [
            ItemsStep.Change(before: nil, after: .sample(1)), ItemsStep.Change(before: .sample(2), after: nil),
            ItemsStep.Change(before: .sample(3), after: .sample(3, title: "Three")),
        ]
        for (count, isUndone) in [(0, false), (1, true), (2, false), (3, true)] {
            let step = ItemsStep(id: .sample(9), changes: Array(changes.prefix(count)))
            let line = StepRecord.line(for: step, isUndone: isUndone).flatMap(\.self).dropLast()
            let scanned = StepRecord.scan(line)

            #expect(scanned?.step == step && scanned?.isUndone == isUndone)
            for end in line.indices { #expect(StepRecord.scan(line[..<end]) == nil) }
        }
        let mixed = ItemsStep(id: .sample(9), changes: [ItemsStep.Change(before: .sample(1), after: .sample(2))])
        #expect(StepRecord.scan(StepRecord.line(for: mixed, isUndone: false).flatMap(\.self).dropLast()) == nil)
    }
}
