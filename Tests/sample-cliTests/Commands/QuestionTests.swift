import Relux
import Testing

@testable import sample_cli

@Suite struct QuestionTests {
    @Test(
        arguments: [
            ("y", .yes), ("Y", .yes), ("yes", .yes), (" YES \t", .yes), ("n", .no), ("No", .no), ("", .no), ("  ", .no),
            (nil, .no), ("yess", .unclear), ("j", .unclear), ("1", .unclear), ("y n", .unclear),
        ] as [(String?, Question.Answer)])
    func `only a yes is a yes`(text: String?, answer: Question.Answer) {
        #expect(Question.Answer(text) == answer)
    }

    @Test(
        arguments: [
            (["y"], true, "Sure? [y/N] "),
            ([nil], false, "Sure? [y/N] \n"),
            (["what", "n"], false, "Sure? [y/N] Please answer y or n.\nSure? [y/N] "),
            (["what", "yes"], true, "Sure? [y/N] Please answer y or n.\nSure? [y/N] "),
            (
                ["1", "2", "3", "y"], false,
                String(repeating: "Sure? [y/N] Please answer y or n.\n", count: 3)
            ),
        ] as [([String?], Bool, String)])
    func `an unclear answer leads to another question, but not forever`(
        answers: [String?], isYes: Bool, error: String
    ) async {
        let rest = Lock(answers[...])
        let written = Lock("")
        let console = Console(
            style: .plain, errorStyle: .plain, errorIsTerminal: true, canAsk: true,
            output: { _ in },
            error: { text in written.withLock { $0 += text } },
            answer: { rest.withLock { $0.popFirst() ?? nil } }
        )

        let result = await Question(text: "Sure?", console: console).isAnsweredWithYes()

        #expect(result == isYes)
        #expect(written.withLock { $0 } == error)
    }
}
