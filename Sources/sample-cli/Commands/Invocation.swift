import Foundation
import Relux
import ReluxDiagnostics
import ReluxPersistence
import SampleDomain
import SampleServices

/// One call of a command: its arguments, and what it may use of the process.
struct Invocation: Sendable {
    let arguments: ParsedArguments
    let console: Console
    let environment: [String: String]
    let ending: ProcessEnding
    /// Records what the store does, if that was requested.
    let recorder: Relux.TraceRecorder?

    var isVerbose: Bool { arguments.contains(CommandTable.verbose) }

    var folder: String {
        arguments.options[CommandTable.data] ?? DataFolder.standard(environment: environment)
    }

    /// Where states are saved.
    var storage: Relux.FileStorage { Relux.FileStorage(folder: URL(filePath: folder)) }

    /// Creates a store that logs and records every action if that was requested.
    func store(
        observers: [any Relux.StoreObserver] = [],
        @Relux.ModuleBuilder modules: @Sendable () async throws -> [any Relux.Module]
    ) async throws -> Relux.Store {
        var observers = observers
        if isVerbose { observers.append(Relux.ConsoleLogger()) }
        if let recorder { observers.append(recorder) }
        return try await Relux.Store(Relux.StoreConfiguration(observers: observers), modules: modules)
    }

    /// Writes what was recorded.
    func writeTrace(of path: [CommandSpec]) throws {
        guard let file = arguments.options[CommandTable.trace], let recorder else { return }
        var trace = recorder.trace
        trace.title = path.map(\.name).joined(separator: " ")
        try trace.write(to: URL(filePath: file))
    }

    /// The catalogue of a server, or the bundled one.
    func petsService() throws(UsageError) -> any PetsService {
        guard let text = arguments.options[CommandTable.baseURL] else { return BundledPetsService() }
        guard let address = PetsAddress(text) else { throw .noAddress(text, CommandTable.baseURL) }
        return HTTPPetsService(address: address)
    }

    /// Prints a result: as one line of JSON for scripts, or in lines for people.
    func show(_ value: some Encodable, _ lines: [String]) throws -> ExitStatus {
        console.print(console.isJSON ? [try Console.json(value)] : lines)
        return .success
    }
}
