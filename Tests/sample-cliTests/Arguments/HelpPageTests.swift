import Testing

@testable import sample_cli

@Suite struct HelpPageTests {
    /// Every command with the groups above it.
    private static func paths(below path: [CommandSpec]) -> [[CommandSpec]] {
        [path] + (path.last?.subcommands ?? []).flatMap { paths(below: path + [$0]) }
    }

    @Test(arguments: paths(below: [CommandTable.root]))
    func `every page explains its command, its arguments and every option`(path: [CommandSpec]) throws {
        let command = try #require(path.last)

        let text = HelpPage(path: path).text

        #expect((command.run == nil) == !command.subcommands.isEmpty)
        #expect(command.operands.dropLast().allSatisfy { !$0.isRepeated })
        #expect(text.hasPrefix("Usage: " + path.map(\.name).joined(separator: " ")))
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        #expect(text.contains(command.summary))
        for operand in command.operands {
            #expect(text.contains("\n  \(operand.usage) ") && text.contains("  \(operand.explanation)\n"))
        }
        for subcommand in command.subcommands { #expect(text.contains(subcommand.summary)) }
        for option in CommandSpec.options(of: path) {
            #expect(text.contains(option.usage) && text.contains(option.explanation))
        }
    }

    @Test func `a page has this form`() {
        let help = OptionSpec(name: "help", letter: "h", explanation: "Explain.")
        let data = OptionSpec(name: "data", value: "FOLDER", explanation: "The folder.")
        let operands = [
            OperandSpec(name: "ID", explanation: "Which."), OperandSpec(name: "POSITION", explanation: "Where to."),
        ]
        let path = [
            CommandSpec(name: "program", summary: "", options: [help]),
            CommandSpec(
                name: "move", summary: "Moves an item.", operands: operands, options: [data], notes: ["A note."]),
        ]

        #expect(
            HelpPage(path: path).text == """
                Usage: program move ID POSITION [OPTION]…

                Moves an item.

                Arguments:
                  ID        Which.
                  POSITION  Where to.

                Options:
                      --data FOLDER  The folder.
                  -h, --help         Explain.

                A note.

                """
        )
    }
}
