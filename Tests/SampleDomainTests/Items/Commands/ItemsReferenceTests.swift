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

    @Test(arguments: [("f000", 2), ("F-00-00", 2), ("abcd123", 0), ("abcd1234-0000", 0), ("ABCD12990", 1)])
    func `a unique prefix of an id is sufficient`(text: String, index: Int) throws {
        let item = try list.item(.typed(text))

        #expect(item == list.all[index])
    }

    @Test func `a whole id is found, in any notation`() throws {
        #expect(try list.item(.typed(ids[0])) == list.all[0])
        #expect(try list.item(.typed(ids[1].lowercased())) == list.all[1])
        #expect(try list.item(.id(list.all[2].id)) == list.all[2])
    }

    @Test(arguments: ["ABCD", "abcd12"])
    func `a prefix of several ids is ambiguous, and the error lists them`(text: String) {
        let list = list

        #expect(throws: ItemsError.ambiguous(text, candidates: Array(list.all.prefix(2)))) {
            try list.item(.typed(text))
        }
    }

    @Test(arguments: ["1234", "abcd125", "title", "abcd1234-0000-0000-0000-0000000000011"])
    func `a prefix of no id is unknown`(text: String) {
        #expect(throws: ItemsError.unknown(text)) { try list.item(.typed(text)) }
    }

    /// “1” used to mean the item whose id begins with it, next to a list that shows positions.
    @Test func `a short number is a position`() throws {
        for (position, item) in zip(1..., list.all) { #expect(try list.item(.typed("\(position)")) == item) }
        #expect(throws: ItemsError.noPosition(4, count: 3)) { try list.item("4") }
        #expect(throws: ItemsError.noPosition(123, count: 3)) { try list.item("123") }
    }

    @Test(arguments: ["", "-", "0", "01", "+1", "f", "abc", "f-0-0", "-1"])
    func `anything else that is short is refused`(text: String) {
        #expect(throws: ItemsError.tooShort(text)) { try list.item(.typed(text)) }
    }

    @Test func `a long number that is a position and a prefix is ambiguous`() throws {
        let ids = (0..<1_234).map { UUID.sample($0) } + [try #require(UUID(uuidString: "1234\(ids[0].dropFirst(4))"))]
        let list = Items.List(
            ids.enumerated().map { index, id in
                Item(id: id, title: "", order: index, created: noon, updated: noon)
            })

        #expect(try list.item("1233") == list.active[1_232])
        #expect(throws: ItemsError.ambiguous("1234", candidates: [list.active[1_233], list.active[1_234]])) {
            try list.item("1234")
        }
        #expect(try list.item("1234-1234") == list.active[1_234])
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
            #expect(try list.item(.typed(short[item.id])) == item)
        }
        #expect(Set(list.all.map { short[$0.id] }).count == 300)
    }

    @Test func `an id that isn't on the list is returned in full`() {
        #expect(Items.ShortIDs(of: [])[.sample(1)] == "00000000000000000000000000000001")
    }
}
