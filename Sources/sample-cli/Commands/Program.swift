import Relux
import ReluxDiagnostics

/// Turns arguments into an exit status. It makes no decisions about lists, pets, or users: it parses, dispatches, and
/// renders.
struct Program: Sendable {
    var console: Console
    let environment: [String: String]
    let ending: ProcessEnding

    /// Does what the arguments request. One that isn't text is nil, and is reported.
    func run(_ arguments: [String?]) async -> ExitStatus {
        if let index = arguments.firstIndex(of: nil) {
            console.complain([Texts.unreadable(argument: index + 1)], as: "usage")
            return .usage
        }
        return await run(arguments.compactMap(\.self))
    }

    private func run(_ arguments: [String]) async -> ExitStatus {
        let parser = ArgumentParser(
            root: CommandTable.root, help: CommandTable.help, version: CommandTable.version)
        do throws(ArgumentParser.Failure) {
            switch try parser.parse(arguments) {
            case .help(let path): console.output(HelpPage(path: path).text)
            case .version: console.print([Texts.version])
            case .run(let path, let arguments): return await carryOut(path, arguments)
            }
            return .success
        } catch {
            // Errors in the arguments are for scripts as well, even if it isn't known yet what the arguments mean.
            let isJSON = arguments.prefix { $0 != "--" }.contains("--\(CommandTable.json.name)")
            return complain(of: error.error, in: error.path, isJSON: isJSON)
        }
    }

    private func carryOut(_ path: [CommandSpec], _ arguments: ParsedArguments) async -> ExitStatus {
        var console = console
        console.isJSON = arguments.contains(CommandTable.json)
        let invocation = Invocation(
            arguments: arguments, console: console, environment: environment, ending: ending,
            recorder: arguments.contains(CommandTable.trace) ? Relux.TraceRecorder(states: .changed) : nil)
        // The trace of an interrupted command is of interest, too.
        ending.finally { try? invocation.writeTrace(of: path) }
        let status = await status(of: path, invocation)
        ending.finally(nil)
        do {
            try invocation.writeTrace(of: path)
            return status
        } catch {
            let file = invocation.arguments.options[CommandTable.trace] ?? ""
            console.complain([Texts.unwritten(file, error)], as: "trace")
            return .failure
        }
    }

    private func status(of path: [CommandSpec], _ invocation: Invocation) async -> ExitStatus {
        let console = invocation.console
        do {
            guard let run = path.last?.run else { throw UsageError.missingCommand }
            return try await run(invocation)
        } catch let error as UsageError {
            return complain(of: error, in: path, isJSON: console.isJSON)
        } catch {
            let complaint = Complaint(of: error)
            console.complain(complaint.lines, as: complaint.code)
            return .failure
        }
    }

    private func complain(of error: UsageError, in path: [CommandSpec], isJSON: Bool) -> ExitStatus {
        var console = console
        // A command that prints no JSON says so in words.
        console.isJSON = isJSON && error != .foreignOption(CommandTable.json)
        console.complain([Texts.explain(error), Texts.usage(of: path), Texts.seeHelp(path)], as: "usage")
        return .usage
    }
}
