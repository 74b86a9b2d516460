import Foundation
import Testing

@testable import SampleServices

@Suite(.timeLimit(.minutes(10))) struct FileItemsHistoryServiceTests {
    private static let header = #"{"format":"relux-items-history","version":1}"#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func service() -> FileItemsHistoryService {
        FileItemsHistoryService(folder: folder.path)
    }

    @Test func `a history that was never saved is empty, and reading it creates nothing`() async throws {
        let history = try await service().load().value

        #expect(history == ItemsHistory())
        #expect(try folder.names.isEmpty)
    }

    @Test func `what is saved can be read by every service`() async throws {
        let deletion = ItemsStep(id: .sample(8), changes: [.init(before: .sample(3, title: "\"\\\n"), after: nil)])

        let saved = try await service().save([.done(.sample(1)), .done(deletion), .undone(deletion)]).value

        #expect(saved.done == [.sample(1)] && saved.undone == [deletion])
        #expect(try await service().load().value == saved)
        #expect(try FileStamp(path: folder.path(of: "items-history.jsonl"))?.permissions == 0o600)
    }

    @Test func `the file is text, one step per line below its header`() async throws {
        let change = ItemsStep.Change(before: .sample(1, title: "A"), after: .sample(1, title: "B"))
        let steps = (1...2).map { ItemsStep(id: .sample($0), changes: [change]) }

        _ = try await service().save([.done(steps[0]), .done(steps[1]), .undone(steps[1])])

        let dates = #""created":"2023-11-14T22:13:21.000Z","updated":"2023-11-14T22:13:21.000Z"}"#
        let id = #"{"id":"00000000-0000-0000-0000-000000000001""#
        let expected = """
            \(id),"changes":[{"before":\(id),"title":"A","order":1000,\(dates),\
            "after":\(id),"title":"B","order":1000,\(dates)}]}
            """
        let lines = try folder.read("items-history.jsonl").components(separatedBy: "\n")
        #expect(lines.count == 4 && lines[0] == #"{"format":"relux-items-history","version":1,"count":2}"#)
        #expect(lines[1] == expected && lines[3] == "")
        #expect(lines[2].hasPrefix(#"{"id":"00000000-0000-0000-0000-000000000002","undone":true,"changes":[{"#))
    }

    @Test func `services that save at once lose none of each other's steps`() async throws {
        let services = (0..<4).map { _ in service() }

        try await withThrowingTaskGroup { group in
            for number in 1...40 {
                group.addTask { _ = try await services[number % 4].save([.done(.sample(number))]) }
            }
            try await group.waitForAll()
        }

        #expect(try await Set(service().load().value.done.map(\.id)) == Set((1...40).map { UUID.sample($0) }))
        #expect(try folder.names == ["items-history.jsonl", "items.lock"])
    }

    @Test func `the file holds as many steps as the limit allows`() async throws {
        let limit = ItemsHistory.standardLimit

        _ = try await service().save((1...limit + 2).map { .done(.sample($0)) })

        #expect(try await service().load().value.done == (3...limit + 2).map { .sample($0) })
    }

    @Test(arguments: [
        ("", 1, StorageError.Reason.damagedLine("it should be the header of a history of items")),
        (#"{"format":"relux-items","version":1}"#, 1, .foreignFormat("relux-items")),
        (#"{"format":"relux-items-history","version":2}"#, 1, .foreignVersion(2, supported: 1)),
        (header + "\n\n{half a li", 3, .damagedLine("it is not the JSON of a step")),
        (header + "\n{\"id\":\"1\",\"changes\":[]}", 2, .damagedLine("“1” is not an id")),
        (header + "\n{\"id\":\"\(UUID.sample(1))\"}", 2, .damagedLine("“changes” is missing")),
        (
            header + "\n{\"id\":\"\(UUID.sample(1))\",\"changes\":[{}]}", 2,
            .damagedLine("a change has neither “before” nor “after”")
        ),
        (
            [header, #"{"id":"\#(UUID.sample(1))","changes":[]}"#, #"{"id":"\#(UUID.sample(1))","changes":[]}"#]
                .joined(separator: "\n"),
            3, .duplicateID(.sample(1), firstLine: 2)
        ),
    ])
    func `a damaged file is reported with its line, never written to, and doesn't affect the list`(
        text: String,
        line: Int,
        reason: StorageError.Reason
    ) async throws {
        let list = FileItemsService(folder: folder.path)
        _ = try await list.save([.insert(.sample(1))])
        try folder.write(text, to: "items-history.jsonl")
        let service = service()
        let expected = StorageError(reason, file: service.file, line: line)

        await #expect(throws: expected) { try await service.load() }
        await #expect(throws: expected) { try await service.save([.done(.sample(1))]) }

        #expect(try folder.read("items-history.jsonl") == text)
        #expect(try await list.save([.insert(.sample(2))]).titles == ["Item 1", "Item 2"])
    }

    @Test func `a history that was cut off at the end of a line is reported`() async throws {
        _ = try await service().save([.done(.sample(1)), .done(.sample(2))])
        let lines = try folder.read("items-history.jsonl").components(separatedBy: "\n")
        try folder.write(lines[0...1].joined(separator: "\n") + "\n", to: "items-history.jsonl")

        let error = await #expect(throws: StorageError.self) { try await service().load() }

        #expect(error?.reason == .miscounted(found: 1, expected: 2))
    }

    @Test func `only a history that can't be read is set aside, and all of them are kept`() async throws {
        let missing = try await service().setAside()
        _ = try await service().save([.done(.sample(1))])
        let readable = try await service().setAside()

        var asides: [String?] = []
        for text in ["one", "two"] {
            try folder.write(text, to: "items-history.jsonl")
            asides.append(try await service().setAside())
        }

        #expect(missing == nil && readable == nil)
        #expect(try await service().load().value == ItemsHistory())
        #expect(try folder.read("items-history-unreadable.jsonl") == "one")
        #expect(try folder.read("items-history-unreadable-2.jsonl") == "two")
        #expect(asides.compactMap { $0?.components(separatedBy: "/").last }.count == 2)
    }

    @Test func `a huge file is rejected without being read`() async throws {
        let path = folder.path(of: "items-history.jsonl")
        try folder.write("", to: "items-history.jsonl")
        try #require(truncate(path, 1 << 40) == 0)

        let error = await #expect(throws: StorageError.self) { try await service().load() }

        #expect(error == StorageError(.tooLarge, file: path))
    }

    @Test func `a change with two different items is damage`() async throws {
        let lines = [Item.sample(1), .sample(2)].map { String(decoding: ItemRecord.line(for: $0), as: UTF8.self) }
        let step = #"{"id":"\#(UUID.sample(1))","changes":[{"before":\#(lines[0]),"after":\#(lines[1])}]}"#
        try folder.write(Self.header + "\n" + step, to: "items-history.jsonl")

        let error = await #expect(throws: StorageError.self) { try await service().load() }

        #expect(error?.reason == .damagedLine("the “before” and “after” of a change are different items"))
    }

    @Test func `a write that the system refuses is reported, and changes nothing`() async throws {
        let before = try await service().save([.done(.sample(1))]).value
        var system = FileSystem.live
        system.write = { (_, _) throws(SystemError) in throw SystemError(code: ENOSPC) }
        let service = FileItemsHistoryService(
            folder: folder.path, lockLimit: .zero, clock: ContinuousClock(), system: system
        )

        await #expect(throws: StorageError(.diskFull, file: service.file)) {
            try await service.save([.done(.sample(2))])
        }

        #expect(try await self.service().load().value == before)
        #expect(try folder.names == ["items-history.jsonl", "items.lock"])
    }

    @Test func `a lock held elsewhere ends in a typed error, and loading still works`() async throws {
        let before = try await service().save([.done(.sample(1))]).value
        let holder = try FileLock.ifFree(path: folder.path(of: "items.lock"))
        let service = FileItemsHistoryService(folder: folder.path, lockLimit: .seconds(1), clock: JumpingClock())

        let error = await #expect(throws: StorageError.self) { try await service.save([.done(.sample(2))]) }

        guard case .locked = error?.reason else { throw try #require(error) }
        #expect(try await service.load().value == before)
        withExtendedLifetime(holder) {}
    }

    @Test func `a folder in place of the file is reported`() async throws {
        mkdir(folder.path(of: "items-history.jsonl"), 0o700)
        let service = service()

        await #expect(throws: StorageError(.notAFile, file: service.file)) { try await service.load() }
    }

    @Test func `if the list is a link, its history is next to the target of the link`() async throws {
        let other = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "items.jsonl"), withDestinationPath: other.path(of: "list.jsonl")
        )
        try other.write("{\"format\":\"relux-items\",\"version\":1}\n", to: "list.jsonl")

        _ = try await service().save([.done(.sample(1))])

        #expect(try other.names == ["items-history.jsonl", "items.lock", "list.jsonl"])
    }
}
