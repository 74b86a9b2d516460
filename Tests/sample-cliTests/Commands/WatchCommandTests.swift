import Foundation
import Relux
import SampleServices
import Testing

/// The real program, which follows other instances.
@Suite(.runsPrograms, .timeLimit(.minutes(5))) struct WatchCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func run(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--data", folder.path], environment: ["TZ": "UTC"])
    }

    private func watch(_ arguments: String..., output: Pipe? = nil) throws -> RunningProgram {
        try RunningProgram(
            ["watch"] + arguments + ["--data", folder.path], environment: ["TZ": "UTC"], output: output)
    }

    /// Moves a file into place in one step.
    private func put(_ text: String, as name: String) throws {
        try folder.write(text, to: "elsewhere")
        rename(folder.path(of: "elsewhere"), folder.path(of: name))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `it reports what other programs do, one line per change, until it is interrupted`(
        signal: Int32,
        status: Int32
    ) async throws {
        let (first, second) = (Item.sample(0xA1), Item.sample(0xB2))
        _ = try await FileItemsService(folder: folder.path).save([.insert(first), .insert(second)])
        // The full ids, because the new item's may start with the same digits.
        let (firstID, secondID) = (first.id.uuidString, second.id.uuidString)
        let program = try watch()
        var output = program.output.makeAsyncIterator()
        var told = [await output.next()]

        for arguments in [
            ["items", "add", "New"], ["items", "rename", firstID, "Other"], ["items", "move", secondID, "1"],
            ["items", "done", firstID], ["items", "reopen", firstID], ["items", "delete", firstID],
            ["settings", "set", "theme", "collaroy"], ["settings", "set", "list-name", ""],
            ["users", "arrive", "Ann"],
        ] {
            let result = try await ChildProcess.run(arguments + ["--data", folder.path])
            #expect(result.status == 0, "\(result.error)")
            // An empty name is what it was before, so nothing has changed.
            if arguments.last != "" { told.append(await output.next()) }
        }
        program.interrupt(with: signal)
        let result = await program.end()

        let new = try await FileItemsService(folder: folder.path).load().items.first { $0.title == "New" }
        let id = try #require(new).id.uuidString.lowercased().prefix(4)
        #expect(
            told.dropLast() == [
                "Watching. Nobody is signed in. There are 2 items on the list.",
                "Added      \(id)  New",
                "Renamed    a100  Other  (was “Item 161”)",
                "Moved      b200  Item 178  (from 2 to 1)",
                "Completed  a100  Other",
                "Reopened   a100  Other",
                "Deleted    a100  Other",
                "Theme is collaroy now.",
            ])
        #expect(told.last??.hasPrefix("Ann is online, since ") == true)
        #expect(await output.next() == nil)
        #expect(result == ChildProcess.Result(status: status))
        var errors = program.errors.makeAsyncIterator()
        #expect(await errors.next() == nil)
    }

    @Test func `sign-ins and sign-outs are reported, followed by changes of the new profile's data`() async throws {
        try await run("items", "add", "Common")
        let program = try watch()
        var output = program.output.makeAsyncIterator()
        #expect(await output.next() == "Watching. Nobody is signed in. There is 1 item on the list.")

        try await run("session", "login", "Ada")
        let came = await output.next()
        try await run("items", "add", "For Ada")
        let added = await output.next()
        try await run("session", "logout")
        let left = await output.next()
        try await run("session", "login", "Ada")
        let again = await output.next()
        program.interrupt(with: SIGINT)

        #expect(came == "Ada is signed in. The list is empty.")
        #expect(added?.hasPrefix("Added") == true && added?.hasSuffix("  For Ada") == true)
        #expect(left == "Nobody is signed in. There is 1 item on the list.")
        #expect(again == "Ada is signed in. There is 1 item on the list.")
        #expect(await program.end().status == 130)
        #expect(await output.next() == nil)
    }

    @Test func `scripts get one object per line, each with every key`() async throws {
        let program = try watch("--json")
        var output = program.output.makeAsyncIterator()
        var lines = [await output.next() ?? ""]

        for arguments in [
            ["items", "add", "New"], ["settings", "set", "theme", "collaroy"], ["users", "arrive", "Ann"],
            ["session", "login", "Ada"],
        ] {
            _ = try await ChildProcess.run(arguments + ["--data", folder.path])
            lines.append(await output.next() ?? "")
        }
        try put("broken", as: "profiles/Ada/settings.json")
        lines.append(await output.next() ?? "")
        program.interrupt(with: SIGINT)
        #expect(await program.end().status == 130)

        let changes = try lines.map { try ParsedChange($0) }
        #expect(changes.map(\.feature) == ["session", "items", "settings", "users", "session", "settings"])
        #expect(changes.map(\.change) == ["watching", "added", "changed", "arrived", "signedIn", "damaged"])
        #expect(changes.map(\.profile) == [nil, nil, nil, nil, "Ada", "Ada"])
        #expect(changes.map(\.count) == [0, nil, nil, nil, 0, nil])
        #expect(changes[1].item?.title == "New" && changes[1].item?.position == 1)
        #expect(changes[2].setting?.name == "theme" && changes[2].setting?.value == "collaroy")
        #expect(changes[3].user?.id == "ann" && changes[3].user?.presence == "online")
        #expect(changes[5].problem?.file == folder.path(of: "profiles/Ada/settings.json"))
        let keys = ["before", "change", "count", "feature", "item", "problem", "profile", "setting", "user"]
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?.keys.sorted() == keys)
        }
    }

    @Test func `of two concurrent bursts in two processes, the last change of every item appears`() async throws {
        let program = try watch("--json")
        var output = program.output.makeAsyncIterator()
        _ = await output.next()
        let path = folder.path

        let expected = Set(["A", "B"].flatMap { name in (0..<8).map { "\(name)\($0) in the end" } })
        let writing = Task {
            try await withThrowingTaskGroup { group in
                for name in ["A", "B"] {
                    group.addTask {
                        let service = FileItemsService(folder: path)
                        for number in 0..<8 {
                            let data = ["--data", path]
                            let added = try await ChildProcess.run(
                                ["items", "add", "\(name)\(number)", "--json"] + data)
                            let id = try #require(try added.json.items.first?.id)
                            _ = try await ChildProcess.run(
                                ["items", "rename", id, "\(name)\(number) in the end"] + data)
                        }
                        _ = try await service.load()
                    }
                }
                try await group.waitForAll()
            }
        }
        // Ends with the line that completes the report. If something is missing, the time limit ends it.
        var titles: [String: String] = [:]
        while Set(titles.values) != expected, let line = await output.next() {
            let change = try ParsedChange(line)
            if let item = change.item { titles[item.id] = item.title }
        }
        try await writing.value
        program.interrupt(with: SIGINT)

        #expect(Set(titles.values) == expected && titles.count == 16)
        #expect(await program.end().status == 130)
    }

    /// The pipe holds far less than what is written, so the program has to wait for its reader.
    @Test func `a reader who is away for a while gets all of it afterwards`() async throws {
        let pipe = Pipe()
        let program = try watch("--json", output: pipe)
        let reader = LineReader(pipe)
        _ = await reader.next()
        let service = FileItemsService(folder: folder.path)
        let titles = (0..<100).map { String(repeating: "long ", count: 600) + "\($0)" }

        for (number, title) in titles.enumerated() {
            _ = try await service.save([.insert(.sample(number, title: title))])
        }
        var told: Set<String> = []
        while told.count < titles.count, let line = await reader.next() {
            let change = try ParsedChange(line)
            #expect(change.change == "added")
            if let title = change.item?.title { told.insert(title) }
        }
        program.interrupt(with: SIGINT)

        #expect(told == Set(titles))
        #expect(await program.end().status == 130)
    }

    @Test func `when its reader is gone, it ends quietly, without waiting for another change`() async throws {
        let pipe = Pipe()
        let program = try watch(output: pipe)
        let reader = LineReader(pipe)
        let first = await reader.next()

        try pipe.fileHandleForReading.close()
        let result = await program.end()

        #expect(first == "Watching. Nobody is signed in. The list is empty.")
        #expect(result == ChildProcess.Result(status: 0))
        var errors = program.errors.makeAsyncIterator()
        #expect(await errors.next() == nil)
    }

    @Test func `a damaged file is reported on standard error, and everything is still followed`() async throws {
        try await run("items", "add", "Kept")
        let good = try folder.read()
        let program = try watch()
        var (output, errors) = (program.output.makeAsyncIterator(), program.errors.makeAsyncIterator())
        _ = await output.next()

        try put("broken", as: "items.jsonl")
        let damaged = await errors.next()
        try await run("settings", "set", "display-name", "Ada")
        let changed = await output.next()
        try put(good, as: "items.jsonl")
        let mended = await errors.next()
        try await run("items", "add", "New")
        let added = await output.next()
        try put("broken", as: "session.json")
        let unknown = await errors.next()
        try FileManager.default.removeItem(atPath: folder.path(of: "session.json"))
        let known = await errors.next()
        program.interrupt(with: SIGINT)

        let place = folder.path(of: "items.jsonl:1")
        #expect(damaged?.hasPrefix("\(place): The line is damaged: ") == true)
        #expect(changed == "Display name is Ada now.")
        #expect(mended == "\(place): It isn't in the way any more.")
        #expect(added?.hasSuffix("  New") == true)
        #expect(unknown?.hasPrefix("\(folder.path(of: "session.json")): The file is damaged: ") == true)
        #expect(known == "\(folder.path(of: "session.json")): It isn't in the way any more.")
        #expect(await program.end().status == 130)
    }

    @Test func `if the session can't be read, that is reported until it can`() async throws {
        try await run("session", "login", "Ada")
        let good = try folder.read("session.json")
        try put("broken", as: "session.json")
        let program = try watch()
        var (output, errors) = (program.output.makeAsyncIterator(), program.errors.makeAsyncIterator())

        let damaged = await errors.next()
        try put(good, as: "session.json")
        let first = await output.next()
        let mended = await errors.next()
        program.interrupt(with: SIGINT)

        #expect(damaged?.hasPrefix("\(folder.path(of: "session.json")): The file is damaged: ") == true)
        #expect(first == "Watching. Ada is signed in. The list is empty.")
        #expect(mended == "\(folder.path(of: "session.json")): It isn't in the way any more.")
        #expect(await program.end().status == 130)
    }

    @Test func `it ends with a failure when the folder is removed, or can't be created`() async throws {
        let path = folder.path(of: "data")
        let program = try RunningProgram(["watch", "--data", path])
        var (output, errors) = (program.output.makeAsyncIterator(), program.errors.makeAsyncIterator())
        _ = await output.next()

        try FileManager.default.removeItem(atPath: path)
        let why = [await errors.next(), await errors.next()]
        let gone = await program.end()
        try folder.write("", to: "data")
        let refused = try await ChildProcess.run(["watch", "--data", path])

        #expect(why[0]?.hasSuffix(": The folder is gone.") == true && why[1] == "Put it back, then start again.")
        #expect(gone == ChildProcess.Result(status: 1))
        #expect(refused.status == 1 && refused.error.contains(": Can't use the "))
    }

    @Test func `the text of a file never reaches a terminal unescaped`() async throws {
        let program = try watch()
        var output = program.output.makeAsyncIterator()
        _ = await output.next()

        _ = try await FileItemsService(folder: folder.path).save([.insert(.sample(1, title: "\u{1B}[2J\u{202E}"))])
        let line = await output.next()
        program.interrupt(with: SIGINT)

        #expect(line == "Added      0100  \\u{1B}[2J\\u{202E}")
        #expect(await program.end().status == 130)
    }
}

/// The output as a script parses it: only the documented keys.
private struct ParsedChange: Decodable {
    struct Row: Decodable {
        let id: String
        let title: String
        let position: Int?
    }

    struct Setting: Decodable {
        let name: String
        let value: String
    }

    struct User: Decodable {
        let id: String
        let presence: String
    }

    struct Problem: Decodable {
        let file: String
        let text: String
    }

    let feature: String
    let change: String
    let profile: String?
    let count: Int?
    let item: Row?
    let setting: Setting?
    let user: User?
    let before: String?
    let problem: Problem?

    init(_ text: String) throws {
        self = try JSONDecoder().decode(ParsedChange.self, from: Data(text.utf8))
    }
}

/// Reads lines only on request, on a thread of its own because reading may block.
private final class LineReader: Sendable {
    private let pipe: Pipe
    private let rest = Lock<[UInt8]>([])

    init(_ pipe: Pipe) {
        self.pipe = pipe
    }

    /// The next line, or nil at the end.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read()) }
        }
    }

    private func read() -> String? {
        rest.withLock { rest in
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let count = Foundation.read(pipe.fileHandleForReading.fileDescriptor, &chunk, chunk.count)
                if count > 0 {
                    rest += chunk[..<count]
                } else if count == 0 || errno != EINTR {
                    return nil
                }
            }
        }
    }
}
