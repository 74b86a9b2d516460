import Foundation
import SampleServices
import Testing

@testable import SampleServices

@Suite struct ItemsDocumentTests {
    private let header = #"{"format":"relux-items","version":1}"#

    private func line(_ number: Int, title: String = #""Item""#) -> String {
        """
        {"id":"\(UUID.sample(number))","title":\(title),"order":\(number),\
        "created":"2023-11-14T22:13:20.000Z","updated":"2023-11-14T22:13:20Z"}
        """
    }

    private func parse(_ text: String) throws -> ItemsDocument {
        try ItemsDocument(parsing: Array(text.utf8), file: "f")
    }

    @Test func `what it writes can be read back`() throws {
        var document = ItemsDocument()
        let items = [
            Item.sample(1, title: "Quotes \" and \\, tabs \t, lines \n\r, controls \u{1}\u{1F}\u{7F}"),
            Item.sample(2, title: "🦊 ÄÖÜ e\u{301} \u{202E} \u{2028}", order: .max),
            Item.sample(3, title: "", order: .min, completed: .sample(9)),
        ]

        document.apply(items.map(ItemChange.insert))
        let read = try ItemsDocument(parsing: document.text, file: "f")

        #expect(read.value == items)
        #expect(read.text == document.text)
    }

    @Test func `a date is kept to the millisecond and never drifts`() throws {
        var document = ItemsDocument()
        var item = Item.sample(1)

        for round in 0..<500 {
            item.updated = Date(timeIntervalSince1970: 1_700_000_000 + Double(round) * 0.001_7)
            document.apply([.insert(item)])
            document = try ItemsDocument(parsing: document.text, file: "f")
            let once = try #require(document.value.first)
            document.apply([.update(from: once, to: once.with { $0.title += "." })])
            document = try ItemsDocument(parsing: document.text, file: "f")

            #expect(document.value.first?.updated == once.updated)
            #expect(abs(once.updated.timeIntervalSince(item.updated)) <= 0.000_501)
        }
    }

    @Test func `unchanged lines are kept to the byte`() throws {
        let strange = #"{ "id":"\#(UUID.sample(1))", "title":"\u0041", "order":1, "colour":"red",  "#
        let rest = #""created":"2023-11-14T22:13:20Z", "updated":"2023-11-14T22:13:20Z"}"#
        let header = #"{"version":1,"format":"relux-items","by":"me"}"#
        var document = try parse("\(header)\n\(strange)\(rest)\n\(line(2))\n")

        document.apply([.delete(.sample(2)), .insert(.sample(3))])

        let lines = String(decoding: document.text, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3)
        let counted = #"{"format":"relux-items","version":1,"count":2,"by":"me"}"#
        #expect(lines.prefix(2) == [Substring(counted), Substring(strange + rest)])
    }

    @Test func `the header counts the items, however often they change`() throws {
        var document = ItemsDocument()

        document.apply((1...3).map { .insert(.sample($0)) })
        document = try ItemsDocument(parsing: document.text, file: "f")
        document.apply([.delete(.sample(2))])

        let lines = String(decoding: document.text, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == #"{"format":"relux-items","version":1,"count":2}"#)
        #expect(lines.count == 3)
    }

    @Test(arguments: [0, 1, 2, 4])
    func `a file with more or fewer items than its header counts is rejected`(found: Int) {
        let header = #"{"format":"relux-items","version":1,"count":3}"#
        let text = ([header] + (0..<found).map { line($0 + 1) }).joined(separator: "\n") + "\n"

        let error = #expect(throws: StorageError.self) { try parse(text) }

        #expect(error == StorageError(.miscounted(found: found, expected: 3), file: "f"))
    }

    @Test func `a changed line keeps what this program doesn't know`() throws {
        let others = #""note":null,"size":10000000000000000000001,"speed":1e+130,"tags":["a,b",{"c":"}\""}]"#
        var document = try parse("\(header)\n\(line(1).dropLast()), \(others) }\n")
        let item = try #require(document.value.first)

        document.apply([
            .update(
                from: item,
                to: item.with {
                    $0.title = "New"
                    $0.completed = .sample(3)
                })
        ])
        let completed = document.text
        document = try ItemsDocument(parsing: completed, file: "f")
        let stored = try #require(document.value.first)
        document.apply([.update(from: stored, to: stored.with { $0.completed = nil })])

        #expect(stored.title == "New" && stored.completed == .sample(3))
        #expect(String(decoding: completed, as: UTF8.self).hasSuffix(",\(others)}\n"))
        #expect(String(decoding: document.text, as: UTF8.self).hasSuffix(",\(others)}\n"))
    }

    @Test(arguments: [0, 999, 1_000, 2_500])
    func `a long list is written in pieces, which are read back as one`(count: Int) throws {
        let items = (0..<count).map { Item.sample($0, title: $0 % 7 == 0 ? "\"\($0)\"" : "Item") }
        var document = ItemsDocument()
        document.apply(items.map(ItemChange.insert))

        let pieces: [[UInt8]] = try #require(document.pieces()).map { $0 }

        #expect(pieces.count == count / 1_000 + 1)
        #expect(try ItemsDocument(parsing: Array(pieces.joined()), file: "f").value == items)
    }

    @Test func `changes are applied in their order`() {
        var document = ItemsDocument()

        document.apply([
            .insert(.sample(1)), .insert(.sample(2)), .delete(.sample(1)),
            .update(from: .sample(2), to: .sample(2, title: "Two")), .insert(.sample(1, title: "Again")),
        ])
        document.apply([.delete(.sample(2))])

        #expect(document.value == [.sample(1, title: "Again")])
    }

    @Test(arguments: ["\n", "\r\n", ""])
    func `blank lines, Windows line endings, and a missing final line ending are not damage`(ending: String) throws {
        let document = try parse("\(header)\r\n\n\(line(1))\n  \t\n\(line(2))\(ending)")

        #expect(document.value.map(\.id) == [.sample(1), .sample(2)])
    }

    @Test(arguments: [
        ("[]", "it is not the JSON of an item"),
        (#"{"id":"#, "it is not the JSON of an item"),
        (#"{"id":"x","title":"t","order":1,"created":"","updated":""}"#, "“x” is not an id"),
        (#"{"id":1}"#, "“id” has the wrong type"),
        (#"{"title":"t"}"#, "“id” is missing"),
        (#"{"id":"x","title":null}"#, "“title” has the wrong type"),
        (#"{"id":"x","title":"t","order":99999999999999999999}"#, "it is not the JSON of an item"),
    ])
    func `a damaged line is reported with its number and its flaw`(damage: String, flaw: String) {
        let text = "\(header)\n\(line(1))\n\n\(damage)\n\(line(2))"

        let error = #expect(throws: StorageError.self) { try parse(text) }

        #expect(error == StorageError(.damagedLine(flaw), file: "f", line: 4))
    }

    @Test func `an invalid date is reported`() {
        let damage = line(1).replacingOccurrences(of: "2023-11-14T22:13:20Z", with: "yesterday")

        let error = #expect(throws: StorageError.self) { try parse("\(header)\n\(damage)") }

        #expect(error == StorageError(.damagedLine("“yesterday” is not a date"), file: "f", line: 2))
    }

    @Test func `a duplicate id is reported with both lines`() {
        let error = #expect(throws: StorageError.self) { try parse("\(header)\n\(line(1))\n\n\(line(1))") }

        #expect(error == StorageError(.duplicateID(.sample(1), firstLine: 2), file: "f", line: 4))
    }

    @Test func `invalid UTF-8 is reported with its line`() {
        let bytes = Array("\(header)\n\(line(1))\n{\"id\":\"".utf8) + [0xFF, 0x0A]

        let error = #expect(throws: StorageError.self) { try ItemsDocument(parsing: bytes, file: "f") }

        #expect(error == StorageError(.invalidUTF8, file: "f", line: 3))
    }

    @Test(arguments: [
        (#"{"format":"relux-items","version":2}"#, StorageError.Reason.foreignVersion(2, supported: 1)),
        (#"{"format":"recipes","version":1}"#, .foreignFormat("recipes")),
        ("", .damagedLine("it should be the header of a list of items")),
        ("# Shopping", .damagedLine("it should be the header of a list of items")),
    ])
    func `a foreign header is rejected`(header: String, reason: StorageError.Reason) {
        let error = #expect(throws: StorageError.self) { try parse("\(header)\n\(line(1))") }

        #expect(error == StorageError(reason, file: "f", line: 1))
    }
}

extension ItemsDocument {
    /// The contents of the file.
    fileprivate var text: [UInt8] { Array(pieces().map { $0.flatMap(\.self) } ?? []) }
}
