import Foundation

/// The program. It parses its arguments, carries out the command, and ends with a status.
@main
struct SampleCLI {
    static func main() async {
        StandardStreams.open()
        let ending = ProcessEnding()
        ending.obeySignals()
        let environment = ProcessInfo.processInfo.environment
        let program = Program(
            console: .standard(environment: environment, ending: ending),
            environment: environment,
            ending: ending
        )
        let status = await program.run(Array(CommandLine.arguments.dropFirst()))
        ending.end(with: status.rawValue)
    }
}
