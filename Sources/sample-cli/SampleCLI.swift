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

    /// The arguments. One that isn't valid UTF-8 is nil: `CommandLine.arguments` repairs it, which would save a title,
    /// or open a file, that the user hasn't named.
    private static var arguments: [String?] {
        (1..<max(1, Int(CommandLine.argc))).map { number in
            CommandLine.unsafeArgv[number].flatMap { String(validatingCString: $0) }
        }
    }
}
