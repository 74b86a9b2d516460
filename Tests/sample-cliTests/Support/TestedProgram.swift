import Foundation
import Relux

@testable import sample_cli

/// The program without a process of its own, with data in a folder.
struct TestedProgram: Sendable {
    /// How the program ended, and what it wrote.
    struct Result: Sendable, Equatable {
        /// The exit status, or the number of the signal that ended the program.
        var status: Int32 = -1
        var wasEndedBySignal = false
        var output = ""
        var error = ""
    }

    let folder: TemporaryFolder

    /// - Parameter answer: What the user answers to a question; nil if there is no terminal on which to ask.
    @discardableResult
    func callAsFunction(_ arguments: String..., answer: String? = nil) async -> Result {
        await run(arguments, answer: answer)
    }

    func run(_ arguments: [String], answer: String? = nil) async -> Result {
        let (output, error) = (Written(), Written())
        let console = Console(
            style: .plain, errorStyle: .plain, errorIsTerminal: false, canAsk: answer != nil,
            output: { output.add($0) }, error: { error.add($0) }, answer: { answer })
        let program = Program(
            console: console, environment: ["SAMPLE_DATA": folder.path], ending: ProcessEnding())
        let status = await program.run(arguments)
        return Result(status: status.rawValue, output: output.text, error: error.text)
    }

    private final class Written: Sendable {
        private let contents = Lock("")

        var text: String { contents.withLock { $0 } }

        func add(_ text: String) { contents.withLock { $0 += text } }
    }
}

extension TestedProgram.Result {
    /// The titles in the JSON of a list, those of completed items in parentheses.
    var titles: [String] {
        get throws {
            struct Answer: Decodable {
                struct Row: Decodable {
                    let id: UUID
                    let title: String
                    let created: Date
                    let completed: Date?
                }

                let items: [Row]
            }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(Answer.self, from: Data(output.utf8)).items.map {
                $0.completed == nil ? $0.title : "(\($0.title))"
            }
        }
    }

    /// The code in the JSON of an error.
    var code: String? {
        get throws { try JSONDecoder().decode([String: String].self, from: Data(error.utf8))["code"] }
    }
}
