import Foundation
import Testing

@testable import SampleServices

@Suite struct StorageErrorTests {
    @Test func `it says where, what, and what to do`() {
        let line = StorageError(.damagedLine("“title” is missing"), file: "list/items.jsonl", line: 17)
        let file = StorageError(.damaged("“theme” is missing"), file: "ada/settings.json")

        #expect(
            line.description == """
                list/items.jsonl:17: The line is damaged: “title” is missing. The file has been left untouched: mend or \
                remove that line in a text editor, or put back a copy.
                """
        )
        #expect(
            file.description == """
                ada/settings.json: The file is damaged: “theme” is missing. The file has been left untouched: mend it in \
                a text editor, or remove it to begin without it.
                """
        )
    }

    @Test func `without a line the place is the file`() {
        let error = StorageError(.diskFull, file: "list/items.jsonl")

        #expect(error.place == "list/items.jsonl")
        #expect(error.explanation == "The disk is full.")
    }

    @Test func `a system error is reported in the system's words`() {
        let error = StorageError(.system(.read, code: 5), file: "list/items.jsonl")

        #expect(error.explanation.hasPrefix("Can't read the file: "))
        #expect(error.explanation.hasSuffix("(error 5)."))
    }

    @Test func `every reason has an explanation and advice of one sentence each`() {
        let reasons: [StorageError.Reason] = [
            .damaged("x"), .damagedLine("x"), .invalidUTF8, .longLine(limit: 9), .duplicateID(.sample(1), firstLine: 2),
            .foreignFormat("x"), .foreignVersion(2, supported: 1), .notFound, .notAFile, .noPermission(.write),
            .diskFull,
            .locked(waited: .seconds(10)), .cancelled, .folderVanished, .system(.lock, code: 24),
            .system(.folder, code: 24),
        ]

        let errors = reasons.map { StorageError($0, file: "f") }

        #expect(Set(errors.map(\.explanation)).count == reasons.count)
        #expect(errors.allSatisfy { $0.explanation.hasSuffix(".") && $0.advice.hasSuffix(".") })
    }

    @Test(
        arguments: [
            (EACCES, .noPermission(.write)), (EROFS, .noPermission(.write)), (ENOSPC, .diskFull), (EISDIR, .notAFile),
            (EIO, .system(.write, code: EIO)),
        ] as [(Int32, StorageError.Reason)])
    func `system error numbers have their reasons`(code: Int32, reason: StorageError.Reason) {
        #expect(StorageError(SystemError(code: code), .write, file: "f") == StorageError(reason, file: "f"))
    }
}
