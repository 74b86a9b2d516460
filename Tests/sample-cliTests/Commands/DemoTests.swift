import Foundation
import Testing

@Suite(.runsPrograms, .timeLimit(.minutes(5))) struct DemoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(
        _ arguments: String...,
        interruption: ChildProcess.Interruption? = nil
    ) async throws -> ChildProcess.Result {
        try await ChildProcess.run(
            ["demo"] + arguments,
            environment: ["TMPDIR": folder.path, "HOME": folder.path],
            interruption: interruption
        )
    }

    @Test func `the tour works without any setup, and leaves nothing behind`() async throws {
        let result = try await run()

        #expect(result.status == 0 && result.error == "")
        #expect(try folder.names.isEmpty)
    }

    @Test func `two tours are the same`() async throws {
        let (first, second) = (try await run(), try await run())

        #expect(first == second)
    }

    @Test func `every action is printed once, in order, with the resulting state`() async throws {
        let lines = try await run().output.split(separator: "\n")

        let numbers = lines.compactMap { line in Int(line.prefix(3).trimmingCharacters(in: .whitespaces)) }
        #expect(numbers == Array(1...numbers.count))
        #expect(numbers.count > 40)
        let added = try #require(lines.firstIndex { $0.hasSuffix("  added “Buy milk”") })
        #expect(lines[added + 1] == "       ☐ Buy milk*")
        #expect(lines.contains { $0.hasPrefix("     Refused: “Water the plants” is completed.") })
        #expect(lines.contains { $0.hasSuffix("[not saved]") })
        let undone = try #require(lines.firstIndex { $0.hasSuffix("  undid a step") })
        #expect(lines[undone + 1].contains("☐ Buy milk*"))
        #expect(lines.contains("     Refused: There is nothing to redo."))
        #expect(lines.last?.contains("the \(numbers.count) actions gave the same state") == true)
    }

    @Test func `verbose adds the log on standard error`() async throws {
        let (plain, verbose) = (try await run(), try await run("--verbose"))

        #expect(verbose.output == plain.output)
        #expect(verbose.error.contains("relux: #1 "))
    }

    @Test func `an interrupted tour leaves nothing behind either`() async throws {
        let interruption = ChildProcess.Interruption(signal: SIGINT, marker: "relux: #20 ")

        let result = try await run("--verbose", interruption: interruption)

        #expect(result.status == 130 || result.status == 0)
        #expect(try folder.names.isEmpty)
    }
}
