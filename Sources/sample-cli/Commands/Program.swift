/// Turns arguments into an exit status. It makes no decisions about lists, pets, or users: it parses, dispatches, and
/// renders.
struct Program: Sendable {
    var console: Console
    let environment: [String: String]
    let ending: ProcessEnding

    /// An argument that isn't text.
    struct UnreadableArgument: Error {
        /// The number of the argument, starting at 1.
        let number: Int
    }

    /// Does what the arguments request, or reports the one that isn't text.
    func run(_ arguments: Result<[String], UnreadableArgument>) async -> ExitStatus {
        switch arguments {
        case .success(let arguments): return await run(arguments)
        case .failure(let failure):
            console.complain([Texts.unreadable(failure)], as: "usage")
            return .usage
        }
    }

    /// Does what the arguments request.
    func run(_ arguments: [String]) async -> ExitStatus {
        // Errors in the arguments are for scripts as well, even if it isn't known yet what the arguments mean.
        var program = self
        program.console.isJSON = arguments.prefix { $0 != "--" }.contains("--\(CommandTable.json.name)")
        return await program.obey(arguments)
    }

    private func obey(_ arguments: [String]) async -> ExitStatus {
        let parser = ArgumentParser(
            root: CommandTable.root, help: CommandTable.help, version: CommandTable.version)
        do throws(ArgumentParser.Failure) {
            switch try parser.parse(arguments) {
            case .help(let path):
                console.output(HelpPage(path: path).text)
                return .success
            case .version:
                console.print([Texts.version])
                return .success
            case .run(let path, let parsed):
                let invocation = try invocation(of: path, parsed)
                // Checked before anything is accessed.
                if invocation.hasToAsk, !console.canAsk {
                    throw ArgumentParser.Failure(error: .unasked(CommandTable.yes), path: path)
                }
                return await run(invocation)
            }
        } catch {
            var console = console
            // A command that prints no JSON says so in words.
            if error.error == .foreignOption(CommandTable.json) { console.isJSON = false }
            console.complain(
                [Texts.explain(error.error), Texts.usage(of: error.path), Texts.seeHelp(error.path)],
                as: error.error.code)
            return .usage
        }
    }

    private func invocation(
        of path: [CommandSpec],
        _ parsed: ParsedArguments
    ) throws(ArgumentParser.Failure) -> Invocation {
        do throws(UsageError) {
            guard let make = path.last?.invocation else { throw .missingCommand }
            return try make(parsed)
        } catch {
            throw ArgumentParser.Failure(error: error, path: path)
        }
    }

    private func printCompletions(for shell: CompletionScript.Shell) -> ExitStatus {
        console.output(CompletionScript(shell: shell, root: CommandTable.root).text)
        return .success
    }

    private func run(_ invocation: Invocation) async -> ExitStatus {
        switch invocation {
        case .items(let request, let options):
            await ItemsRunner(console: console, environment: environment, ending: ending, options: options).run(request)
        case .pets(let request, let options):
            await PetsRunner(console: console, options: options).run(request)
        case .users(let request, let options):
            await UsersRunner(console: console, environment: environment, options: options).run(request)
        case .settings(let request, let options):
            await SettingsRunner(console: console, environment: environment, options: options).run(request)
        case .session(let command, let options):
            await SessionRunner(console: console, environment: environment, options: options).run(command)
        case .tui(let options, let petsOptions):
            await ScreenRunner(
                console: console, environment: environment, ending: ending, options: options, petsOptions: petsOptions
            ).run()
        case .completions(let shell):
            printCompletions(for: shell)
        }
    }
}
