import SampleServices
import Testing

@testable import sample_cli

@Suite struct PetsJSONTests {
    private let bo = Pet.Summary(
        id: "b", name: "Bo \u{9B}\u{1B}/", birthday: Pet.Day(year: 2021, month: 3, day: 9),
        colour: Pet.Colour("#c68642")
    )

    @Test func `a list has every pet with every key of a list`() throws {
        let line = try PetsJSON(listing: [bo]).line()

        let expected = """
            {"outcome":"listed","pets":[{"birthday":"2021-03-09","colour":"#C68642","id":"b",\
            "name":"Bo \\u009b\\u001b/","species":null}]}
            """
        #expect(line.lowercased() == expected.lowercased())
    }

    @Test func `a pet has every key there is`() throws {
        let line = try PetsJSON(showing: Pet(summary: Pet.Summary(id: "b", name: "Bo"), arrived: .sample(0))).line()

        #expect(
            line == """
                {"outcome":"shown","pets":[{"about":null,"arrived":"2023-11-14T22:13:20Z","birthday":null,\
                "colour":null,"id":"b","name":"Bo","phone":null,"species":null}]}
                """
        )
    }
}
