import Testing

@testable import sample_cli

@Suite struct ArgumentParserTests {
    private static let help = OptionSpec(name: "help", letter: "h", explanation: "")
    private static let folder = OptionSpec(name: "data", letter: "d", value: "FOLDER", explanation: "")
    private static let top = OptionSpec(name: "top", explanation: "")
    private static let position = OperandSpec(name: "POSITION", explanation: "")

    private let parser = ArgumentParser(
        root: CommandSpec(
            name: "program",
            summary: "",
            options: [help],
            subcommands: [
                CommandSpec(
                    name: "list",
                    summary: "",
                    options: [folder],
                    subcommands: [
                        CommandSpec(
                            name: "add",
                            summary: "",
                            operands: [OperandSpec(name: "TITLE", isRepeated: true, explanation: "")],
                            options: [top],
                            run: { _ in .success }
                        ),
                        CommandSpec(
                            name: "move",
                            summary: "",
                            operands: [OperandSpec(name: "ID", explanation: ""), position],
                            run: { _ in .success }
                        ),
                    ]
                )
            ]
        ),
        help: help
    )

    /// The names of the commands on the path, and the arguments of the last one.
    private func parse(_ line: String...) throws(UsageError) -> (path: [String], arguments: ParsedArguments) {
        do throws(ArgumentParser.Failure) {
            switch try parser.parse(line) {
            case .help(let path): return (path.map(\.name) + ["help"], ParsedArguments())
            case .version: return (["version"], ParsedArguments())
            case .run(let path, let arguments): return (path.map(\.name), arguments)
            }
        } catch {
            throw error.error
        }
    }

    @Test func `words lead to a command and become its operands`() throws {
        let (path, arguments) = try parse("list", "add", "Buy", "milk")

        #expect(path == ["program", "list", "add"])
        #expect(arguments == ParsedArguments(operands: ["Buy", "milk"]))
        #expect(arguments.text(from: 0) == "Buy milk")
    }

    @Test(arguments: [
        ["--data", "x", "list", "--top", "add", "A"], ["list", "--data=x", "add", "A", "--top"],
        ["list", "add", "--top", "A", "-d", "x"], ["list", "add", "-d=x", "A", "--top", "--"],
    ])
    func `options may appear anywhere, with their values in either form`(line: [String]) throws {
        guard case .run(_, let arguments) = try parser.parse(line) else { throw UsageError.missingCommand }

        #expect(arguments == ParsedArguments(operands: ["A"], options: [Self.folder: "x", Self.top: ""]))
    }

    @Test func `if an option is repeated, the last one is used`() throws {
        let (_, arguments) = try parse("list", "add", "A", "--data", "x", "--data", "y")

        #expect(arguments.options[Self.folder] == "y")
    }

    @Test func `two hyphens end the options`() throws {
        let (_, arguments) = try parse("list", "add", "--", "--top", "--", "-h")

        #expect(arguments == ParsedArguments(operands: ["--top", "--", "-h"]))
    }

    @Test func `a single hyphen, a negative number, and an empty word are operands`() throws {
        let (_, arguments) = try parse("list", "add", "-", "-5", "")

        #expect(arguments.operands == ["-", "-5", ""])
    }

    @Test func `help takes precedence over what is missing, and can be requested in three ways`() throws {
        #expect(try parse("--help").path == ["program", "help"])
        #expect(try parse("list", "-h").path == ["program", "list", "help"])
        #expect(try parse("list", "add", "--help").path == ["program", "list", "add", "help"])
        #expect(try parse("help", "list", "add").path == ["program", "list", "add", "help"])
    }

    @Test func `a title may begin with the word help`() throws {
        #expect(try parse("list", "add", "help").arguments.operands == ["help"])
    }

    @Test func `a missing command is reported`() {
        #expect(throws: UsageError.missingCommand) { try parse() }
        #expect(throws: UsageError.missingCommand) { try parse("list") }
    }

    @Test func `an unknown command or option is reported`() {
        #expect(throws: UsageError.unknownCommand("lits")) { try parse("lits") }
        #expect(throws: UsageError.unknownCommand("quite other")) { try parse("list", "quite other") }
        #expect(throws: UsageError.unknownOption("--dta")) { try parse("list", "add", "A", "--dta=x") }
        #expect(throws: UsageError.unknownOption("-x")) { try parse("list", "add", "A", "-x") }
    }

    @Test func `an option of another command is reported`() {
        #expect(throws: UsageError.foreignOption(Self.top)) { try parse("list", "move", "a", "1", "--top") }
    }

    @Test func `a missing or unwanted value is reported`() {
        #expect(throws: UsageError.missingValue(Self.folder)) { try parse("list", "add", "A", "--data") }
        #expect(throws: UsageError.missingValue(Self.folder)) { try parse("list", "add", "A", "--data=") }
        #expect(throws: UsageError.missingValue(Self.folder)) { try parse("list", "add", "A", "--data", "") }
        #expect(throws: UsageError.unwantedValue(Self.top)) { try parse("list", "add", "A", "--top=yes") }
    }

    @Test func `too few and too many operands are reported`() {
        #expect(throws: UsageError.missingOperand(Self.position)) { try parse("list", "move", "a") }
        #expect(throws: UsageError.unwantedOperand("c")) { try parse("list", "move", "a", "1", "c") }
    }

    @Test func `an invalid number is reported`() throws {
        let arguments = ParsedArguments(operands: ["a", "-2", "x", "1.5"])

        #expect(try arguments.number(at: 1, Self.position) == -2)
        #expect(throws: UsageError.noNumber("x", Self.position)) { try arguments.number(at: 2, Self.position) }
        #expect(throws: UsageError.noNumber("1.5", Self.position)) { try arguments.number(at: 3, Self.position) }
    }
}
