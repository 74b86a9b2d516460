import Foundation
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct ItemsReferenceTests {
    private let ids = [
        "ABCD1234-0000-0000-0000-000000000001", "ABCD1299-0000-0000-0000-000000000002",
        "F0000000-0000-0000-0000-000000000003",
    ]

    private var list: Items.List {
        Items.List(
            ids.enumerated().map { index, text in
                Item(
                    id: UUID(uuidString: text) ?? UUID(), title: text, order: index, created: noon, updated: noon
                )
            }
        )
    }

    @Test(arguments: [("f", 2), ("F0", 2), ("abcd123", 0), ("abcd1234-0000", 0), ("ABCD12990", 1)])
    func `a unique prefix of an id is sufficient`(text: String, index: Int) throws {
        let item = try list.item(.prefix(text))

        #expect(item == list.all[index])
    }

    @Test func `a whole id is found, in any notation`() throws {
        #expect(try list.item(.prefix(ids[0])) == list.all[0])
        #expect(try list.item(.prefix(ids[1].lowercased())) == list.all[1])
        #expect(try list.item(.id(list.all[2].id)) == list.all[2])
    }

    @Test(arguments: ["a", "ABCD", "abcd12"])
    func `a prefix of several ids is ambiguous, and the error lists them`(text: String) {
        let list = list

        #expect(throws: ItemsError.ambiguous(text, candidates: Array(list.all.prefix(2)))) {
            try list.item(.prefix(text))
        }
    }

    @Test(arguments: ["", "-", "0", "abcd125", "title", "abcd1234-0000-0000-0000-0000000000011"])
    func `a prefix of no id is unknown`(text: String) {
        #expect(throws: ItemsError.unknown(text)) { try list.item(.prefix(text)) }
    }

    @Test func `an id that isn't on the list is unknown`() {
        #expect(throws: ItemsError.unknown("00000000000000000000000000000001")) { try list.item(.id(.sample(1))) }
    }

    @Test func `ids are shortened as long as they stay unique, but not below four characters`() {
        let short = Items.ShortIDs(of: list.all)

        #expect(list.all.map { short[$0.id] } == ["abcd123", "abcd129", "f000"])
    }

    @Test func `every shortened id finds its item`() throws {
        let list = Items.List((0..<300).map { .sample($0 * 7_919) })

        let short = Items.ShortIDs(of: list.all)

        for item in list.all {
            #expect(try list.item(.prefix(short[item.id])) == item)
        }
        #expect(Set(list.all.map { short[$0.id] }).count == 300)
    }

    @Test func `an id that isn't on the list is returned in full`() {
        #expect(Items.ShortIDs(of: [])[.sample(1)] == "00000000000000000000000000000001")
    }
}
