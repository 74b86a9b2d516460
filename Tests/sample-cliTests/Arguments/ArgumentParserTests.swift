import Testing

@testable import sample_cli

@Suite struct ArgumentParserTests {
    private static let help = OptionSpec(name: "help", letter: "h", explanation: "")
    private static let folder = OptionSpec(name: "data", letter: "d", value: "FOLDER", explanation: "")
    private static let top = OptionSpec(name: "top", explanation: "")
    private static let title = OperandSpec(name: "TITLE", isRepeated: true, explanation: "")
    private static let number = OperandSpec(name: "NUMBER", explanation: "")
    private static let position = OperandSpec(name: "POSITION", explanation: "")

    private let parser: ArgumentParser = {
        let add = CommandSpec(name: "add", summary: "", operands: [title], options: [top]) { _ in .success }
        let move = CommandSpec(name: "move", summary: "", operands: [number, position]) { _ in .success }
        let list = CommandSpec(name: "list", summary: "", options: [folder], subcommands: [add, move])
        return ArgumentParser(
            root: CommandSpec(name: "program", summary: "", options: [help], subcommands: [list]), help: help)
    }()

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

    @Test func `two hyphens end the options, and of a repeated one the last is used`() throws {
        let (_, arguments) = try parse("list", "add", "--data", "x", "-d", "y", "--", "--top", "--", "-h")

        #expect(arguments == ParsedArguments(operands: ["--top", "--", "-h"], options: [Self.folder: "y"]))
    }

    @Test func `a hyphen, a negative number, an empty word, and the word help are operands`() throws {
        #expect(try parse("list", "add", "-", "-5", "", "help").arguments.operands == ["-", "-5", "", "help"])
    }

    @Test func `help takes precedence over what is missing, and can be requested in three ways`() throws {
        #expect(try parse("--help").path == ["program", "help"])
        #expect(try parse("list", "-h").path == ["program", "list", "help"])
        #expect(try parse("list", "add", "--help").path == ["program", "list", "add", "help"])
        #expect(try parse("help", "list", "add").path == ["program", "list", "add", "help"])
    }

    @Test func `an invalid number is reported`() throws {
        let words = ["x", "1.5", "0", "-2", String(Int.min), "9223372036854775808"]
        let arguments = ParsedArguments(operands: ["7"] + words)

        #expect(try arguments.number(at: 0, Self.position) == 7)
        for (index, word) in words.enumerated() {
            #expect(throws: UsageError.noNumber(word, Self.position)) {
                try arguments.number(at: index + 1, Self.position)
            }
        }
    }
}
