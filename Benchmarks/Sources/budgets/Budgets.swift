import Dispatch
import Foundation

/// Measures what the library promises, and prints a table.
///
/// To be usable under valgrind, which counts instructions, it must be a plain program: `main` is synchronous, starts
/// the work in a detached task, and leaves the main thread to the main actor until that has ended.
@main
enum Budgets {
    static func main() {
        Task.detached {
            let status = await run(Array(CommandLine.arguments.dropFirst()))
            exit(status)
        }
        // The main actor's code runs here. Not by `dispatchMain`, which ends the main thread: valgrind crashes then.
        while true { RunLoop.main.run() }
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        let command: Command
        do {
            command = try Command(arguments)
        } catch {
            complain("\(error)\n\n\(Command.usage)")
            return EX_USAGE
        }
        do {
            switch command {
            case .help: print(Command.usage)
            case .list: print(Table.ids())
            case .probe(let probe): try await probe.run()
            case .measure(let rows, let pace):
                return await Report(pace: pace).measure(rows) ? EXIT_SUCCESS : EXIT_FAILURE
            }
            return EXIT_SUCCESS
        } catch {
            complain("\(error)")
            return EXIT_FAILURE
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("budgets: \(text)\n".utf8))
    }
}
