import Foundation

/// The program. It parses its arguments, carries out the command, and ends with a status.
@main
struct SampleCLI {
    static func main() async {
        Descriptor.openStandardStreams()
        let ending = ProcessEnding()
        ending.obeySignals()
        let environment = ProcessInfo.processInfo.environment
        let program = Program(
            console: .standard(environment: environment, ending: ending),
            environment: environment,
            ending: ending
        )
        let status = await program.run(arguments)
        ending.end(with: status.rawValue)
    }

    /// The arguments, or the number of the first one that isn't valid UTF-8. `CommandLine.arguments` repairs those,
    /// which would save a title, or open a file, that the user hasn't named.
    private static var arguments: Result<[String], Program.UnreadableArgument> {
        var arguments: [String] = []
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[number], let text = String(validatingCString: bytes) else {
                return .failure(Program.UnreadableArgument(number: number))
            }
            arguments.append(text)
        }
        return .success(arguments)
    }
}
