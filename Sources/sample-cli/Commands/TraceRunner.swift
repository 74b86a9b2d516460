import Foundation
import Relux
import ReluxDiagnostics
import SampleDomain
import SampleServices

/// Explains a recorded trace.
struct TraceRunner {
    private let console: Console
    private let trace: Relux.Trace

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let file = invocation.arguments.first
        do {
            trace = try Relux.Trace(contentsOf: URL(filePath: file), modules: Self.modules(of: invocation))
        } catch let error as Relux.TraceError {
            let lines = "\(file): \(error.description)".split(separator: "\n")
            throw Complaint(lines.map { String($0).visible }, as: "trace")
        } catch {
            throw Complaint([Texts.unread(file, error)], as: "trace")
        }
    }

    func print(_ text: (Relux.Trace) -> String) -> ExitStatus {
        console.print([text(trace)])
        return .success
    }

    func why(_ path: String) -> ExitStatus {
        let why = trace.why(path)
        console.print([why.description])
        return why.action == nil && why.new == nil ? .failure : .success
    }

    func verify() -> ExitStatus {
        let result = Relux.TimeMachine(trace).verify()
        console.print([result.description])
        return result.isPure ? .success : .failure
    }

    static func map(_ invocation: Invocation, isChart: Bool) async throws -> ExitStatus {
        let storage = invocation.storage
        let store = try await invocation.store { Application.Module(storage: storage) }
        // The account follows the session.
        try await store.idle()
        let map = await store.map()
        invocation.console.print([isChart ? map.mermaid : map.description])
        await store.shutdown()
        return .success
    }

    private static func modules(of invocation: Invocation) -> [any Relux.Module] {
        let storage = invocation.storage
        return [Application.Module(storage: storage), Account.Module(id: .guest, storage: storage)]
    }
}
