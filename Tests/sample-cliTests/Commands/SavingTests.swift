#if os(macOS) || os(Linux)
    import Foundation
    import ReluxTesting
    import Testing

    /// The promises of the program about what is saved. How they are kept is tested with the library.
    @Suite(.runsPrograms, .timeLimit(.minutes(10))) struct SavingTests {
        private let folder: TemporaryFolder
        private let program: TestedProgram

        init() throws {
            folder = try TemporaryFolder()
            program = TestedProgram(folder: folder)
        }

        private var titles: [String] {
            get async throws { try await program("items", "list", "--json").titles }
        }

        /// Adds items one after the other, each with a process of its own.
        private func add(_ titles: some Sequence<String>) async throws {
            for title in titles {
                let result = try await ChildProcess.run(["items", "add", title, "--data", folder.path])
                #expect(result == ChildProcess.Result(status: 0, output: "Added  \(title)\n"))
            }
        }

        /// The moment of a kill isn't timed but counted, in the lines that the program logs.
        @Test func `nothing that was acknowledged is lost when programs are killed at any moment`() async throws {
            var random = SeededGenerator(seed: 1)
            var promised: Set<String> = []
            var killed = 0
            async let others: Void = add((1...20).map { "Other \($0)" })

            for round in 1...20 {
                let lines = Int.random(in: 1...10, using: &random)
                let result = try await ChildProcess.run(
                    ["items", "add", "Round \(round)", "--verbose", "--data", folder.path],
                    interruption: .init(signal: SIGKILL) { $0.split(separator: "\n").count >= lines })
                if result.wasEndedBySignal { killed += 1 }
                if result.output.hasPrefix("Added") { promised.insert("Round \(round)") }
                #expect(try await promised.isSubset(of: titles))
            }
            try await others

            let all = try await titles
            #expect(promised.union((1...20).map { "Other \($0)" }).isSubset(of: all))
            #expect(Set(all).count == all.count && killed > 0 && !promised.isEmpty)
            try await add(["Last"])
        }

        @Test func `two programs that add at once lose nothing, and each of them is undone`() async throws {
            async let first: Void = add((1...20).map { "A\($0)" })
            async let second: Void = add((1...20).map { "B\($0)" })
            _ = try await (first, second)

            #expect(try await Set(titles) == Set((1...20).flatMap { ["A\($0)", "B\($0)"] }))
            for _ in 1...20 { #expect(await program("items", "undo").status == 0) }
            #expect(try await titles.count == 20)
        }

        @Test func `an item that another program reopens during the question isn't cleared`() async throws {
            for title in ["Milk", "Tea"] { await program("items", "add", title) }
            await program("items", "done", "1", "2")

            // The log says when the program has seen the change.
            let session = try TerminalSession(
                ["items", "clear", "--verbose", "--data", folder.path], columns: 200)
            try await session.see("Delete 2 items?")
            await program("items", "reopen", "1")
            try await session.see("adopt")
            try session.type("y\r")

            #expect(await session.end() == ChildProcess.Result(status: 0))
            #expect(try await titles == ["Tea"])
        }

        @Test func `a change that can't be saved is a failure`() async throws {
            await program("items", "add", "Milk")
            try folder.obstructSaves()

            // Processes of their own, because a store that goes on tries again.
            let people = try await ChildProcess.run(["items", "add", "Tea", "--data", folder.path])
            let scripts = try await ChildProcess.run(["items", "undo", "--json", "--data", folder.path])

            #expect(people.status == 1 && people.output == "")
            #expect(people.error.hasPrefix("sample-cli: It could not be saved: “unlink” has failed for “"))
            #expect(try scripts.status == 1 && scripts.output == "" && scripts.code == "unsaved")
            try folder.removeObstacle()
            #expect(try await titles == ["Milk"])
        }

        @Test(arguments: ["items.saved", "session.saved"])
        func `a damaged file is reported, and never overwritten`(file: String) async throws {
            try folder.write("garbage", to: file)

            let people = await program("items", "add", "Milk")
            let scripts = await program("items", "list", "--json")

            #expect(people.status == 1 && people.output == "")
            #expect(people.error.hasPrefix("sample-cli: What was saved "))
            #expect(people.error.hasSuffix("\nNothing was overwritten. Move the file away to begin with nothing.\n"))
            #expect(try scripts.status == 1 && scripts.output == "" && scripts.code == "unreadable")
            #expect(try folder.read(file) == "garbage")
        }

        @Test func `a folder that can't be read is reported`() async throws {
            try folder.write("", to: "file")

            let result = await program("items", "list", "--json", "--data", folder.path(of: "file/data"))

            #expect(try result.status == 1 && result.output == "" && result.code == "unreadable")
        }
    }
#endif
