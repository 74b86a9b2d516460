import Foundation
import Relux
import ReluxDiagnostics
import Testing

/// Reduces a recorded trace again, and expects the same states.
///
/// ```swift
/// expectReplay("bug.jsonl", of: [Items.State.Action.self, Items.Effect.self]) { Items.Module(service: NoService()) }
/// ```
///
/// Record a trace with ``Relux/Relux/TraceRecorder`` and write it with `write(to:)`. Its actions and states must be
/// `Codable`, and the recorder must keep the states of the actions that are checked. Each action is reduced from the
/// state that the trace has before it, so the issue names the first action whose reducer gives another state.
///
/// The file is refused if its types of actions and states are no longer those of this program.
///
/// - Parameters:
///   - file: A path, relative to the folder of the test's file or to the current one, or a URL.
///   - types: The types of actions that must be checked, and any types that the runtime doesn't find by name, such as
///     private ones. If no type of action is listed, all actions must be checked.
///   - modules: The modules with the reducers that aren't the states' own.
/// - Returns: The result of the check; nil if the file couldn't be read.
/// - Complexity: O(*n*) in the number of actions.
@discardableResult
public func expectReplay(
    _ file: some FileLocation, of types: [Any.Type] = [], filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation,
    @Relux.ModuleBuilder modules: () -> [any Relux.Module] = { [] }
) -> Relux.TimeMachine.Verification? {
    var place = file.fileURL
    if let path = file as? String, !path.hasPrefix("/") {
        let beside = URL(filePath: filePath).deletingLastPathComponent().appending(path: path)
        if FileManager.default.fileExists(atPath: beside.path(percentEncoded: false)) { place = beside }
    }
    let trace: Relux.Trace
    do {
        trace = try Relux.Trace(contentsOf: place, types: types, modules: modules())
    } catch {
        Issue.record("\(place.lastPathComponent) can't be replayed. \(error)", sourceLocation: sourceLocation)
        return nil
    }
    let result = Relux.TimeMachine(trace).verify()
    let wanted = Set(types.filter { $0 is any Relux.Action.Type }.map { shortName(of: $0) })
    let missed = result.unrecorded.union(result.unchecked.keys).filter { wanted.isEmpty || wanted.contains($0) }
        .union(wanted.subtracting(result.checkedTypes))
    if result.impure != nil {
        Issue.record("The replay differs. \(result)", sourceLocation: sourceLocation)
    } else if result.checked == 0 || !missed.isEmpty {
        let names = missed.sorted().joined(separator: ", ")
        Issue.record(
            """
            Not everything could be reduced again\(names.isEmpty ? "" : ": \(names)"). Actions must be in the trace, \
            and change a state. Actions and states must be `Codable`, the recorder must keep the states, and reducers that aren't a state's own must be in the \
            modules. \(result)
            """,
            sourceLocation: sourceLocation
        )
    }
    return result
}

/// A file or folder: a path, or a URL.
public protocol FileLocation: Sendable {
    /// The file's URL. A relative path is relative to the current folder.
    var fileURL: URL { get }
}

extension String: FileLocation {
    /// The path as a URL.
    public var fileURL: URL { URL(filePath: self) }
}

extension URL: FileLocation {
    /// The URL itself.
    public var fileURL: URL { self }
}
