import SampleServices
import Testing

@Suite struct ItemsServiceErrorTests {
    @Test func `it says where, what, and what to do`() {
        let error = ItemsServiceError(.damagedLine("“title” is missing"), file: "list/items.jsonl", line: 17)

        let text = error.description

        #expect(
            text == """
                list/items.jsonl:17: The line is damaged: “title” is missing. The file has been left untouched: mend or \
                remove that line in a text editor, or put back a copy.
                """
        )
    }

    @Test func `without a line the place is the file`() {
        let error = ItemsServiceError(.diskFull, file: "list/items.jsonl")

        #expect(error.place == "list/items.jsonl")
        #expect(error.explanation == "The disk is full.")
    }

    @Test func `a system error is reported in the system's words`() {
        let error = ItemsServiceError(.system(.read, code: 5), file: "list/items.jsonl")

        #expect(error.explanation.hasPrefix("Can't read the file: "))
        #expect(error.explanation.hasSuffix("(error 5)."))
    }

    @Test func `every reason has an explanation and advice of one sentence each`() {
        let reasons: [ItemsServiceError.Reason] = [
            .damagedLine("x"), .invalidUTF8, .duplicateID(.sample(1), firstLine: 2), .miscounted(found: 1, expected: 2),
            .foreignFormat("x"), .foreignVersion(2, supported: 1), .notAFile, .danglingLink, .tooLarge,
            .noPermission(.write), .diskFull,
            .locked(waited: .seconds(10)), .cancelled, .folderVanished, .system(.watch, code: 24),
        ]

        let errors = reasons.map { ItemsServiceError($0, file: "f") }

        #expect(Set(errors.map(\.explanation)).count == reasons.count)
        #expect(errors.allSatisfy { $0.explanation.hasSuffix(".") && $0.advice.hasSuffix(".") })
    }
}
