import Foundation
import Relux
import ReluxDiagnostics
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

    /// The configuration of a store that logs and records every action if that was requested.
    var configuration: Relux.StoreConfiguration {
        var observers: [any Relux.StoreObserver] = isVerbose ? [Relux.ConsoleLogger()] : []
        if let recorder { observers.append(recorder) }
        return Relux.StoreConfiguration(observers: observers)
    }

    /// Writes what was recorded.
    func writeTrace(of path: [CommandSpec]) throws {
        guard let file = arguments.options[CommandTable.trace], let recorder else { return }
        var trace = recorder.trace
        trace.title = path.map(\.name).joined(separator: " ")
        try trace.write(to: URL(filePath: file))
    }

    /// The server of the pets, or nil for the bundled catalogue.
    func petsAddress() throws(UsageError) -> PetsAddress? {
        guard let text = arguments.options[CommandTable.baseURL] else { return nil }
        guard let address = PetsAddress(text) else { throw .noAddress(text, CommandTable.baseURL) }
        return address
    }

    /// Creates a store with features of the profile that is signed in. Their services are behind the door to its data.
    func profileStore(_ modules: (ProfileDoor) -> [any Relux.Module] = { _ in [] }) async throws -> Relux.Store {
        let door = ProfileDoor()
        let session = Session.Module(
            service: FileSessionService(folder: folder), door: door, loadsData: false, watchesElsewhere: false)
        let store = Relux.Store(configuration)
        try await store.register(contentsOf: [session] + modules(door))
        try await store.call(Session.Command.restore)
        return store
    }

    /// Prints a result: as JSON for scripts, or in lines for people.
    func show(_ json: @autoclosure () -> some JSONLine, _ lines: @autoclosure () -> [String]) throws {
        console.print(console.isJSON ? [try json().line()] : lines())
    }
}
