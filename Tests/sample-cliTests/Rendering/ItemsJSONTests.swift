import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct ItemsJSONTests {
    private let list = Items.List([.sample(1), .sample(2, title: "A \"b\" \u{1B}\u{9B}/", completed: 5)])

    @Test func `a list has every item with every key`() throws {
        let line = try ItemsJSON(list: list).line()

        let expected = """
            {"items":[{"completed":null,"created":"2023-11-14T22:13:21.000Z",\
            "id":"01000000-0000-0000-0000-000000000000","order":1000,"position":1,"shortID":"0100","title":"Item 1",\
            "updated":"2023-11-14T22:13:21.000Z"},{"completed":"2023-11-14T22:13:25.000Z",\
            "created":"2023-11-14T22:13:22.000Z","id":"02000000-0000-0000-0000-000000000000","order":2000,\
            "position":null,"shortID":"0200","title":"A \\"b\\" \\u001b\\u009b/","updated":"2023-11-14T22:13:22.000Z"}],\
            "outcome":"listed"}
            """
        #expect(line.lowercased() == expected.lowercased())
    }

    @Test(
        arguments: [
            (Items.Outcome.added(.sample(1)), "added", [1]),
            (.changed([.sample(1), .sample(2)]), "changed", [1, nil]),
            (.deleted([.sample(7)]), "deleted", [nil]),
        ] as [(Items.Outcome, String, [Int?])])
    func `an outcome has the affected items, with their positions`(
        outcome: Items.Outcome,
        name: String,
        positions: [Int?]
    ) throws {
        let line = try #require(ItemsJSON(outcome, in: list)).line()

        let parsed = try ParsedJSON(line)
        #expect(parsed.outcome == name)
        #expect(parsed.items.map(\.position) == positions)
    }

    @Test func `nothing is printed if a command had no result`() {
        #expect(ItemsJSON(.dropped, in: list) == nil)
    }
}
