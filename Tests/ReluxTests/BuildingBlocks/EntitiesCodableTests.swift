import Foundation
import Relux
import Testing

@Suite("Entities: coding", .timeLimit(.minutes(10)))
struct EntitiesCodableTests {
    struct Item: Identifiable, Codable, Equatable {
        let id: String
        var title: String
    }

    struct List: Codable {
        var items: Relux.Entities<Item>
    }

    @Test("entities are encoded as an array and decoded in the same order")
    func roundTrip() throws {
        let items = try Relux.Entities([Item(id: "b", title: "2"), Item(id: "a", title: "1")])

        let data = try JSONEncoder().encode(items)

        #expect(try JSONDecoder().decode([Item].self, from: data) == Array(items))
        let decoded = try JSONDecoder().decode(Relux.Entities<Item>.self, from: data)
        #expect(decoded == items)
        #expect(decoded.position(id: "a") == 1)
    }

    @Test("a duplicate id is a decoding error that names both positions")
    func duplicate() throws {
        let json = #"{"items":[{"id":"a","title":"1"},{"id":"b","title":"2"},{"id":"a","title":"3"}]}"#

        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(List.self, from: Data(json.utf8))
        }

        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.first?.stringValue == "items")
        #expect(
            context.debugDescription
                == "The element at position 2 has the id a, which the one at position 0 has already.")
    }
}
