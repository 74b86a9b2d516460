/// How the runs of a group have ended so far, and what that means to the awaiter of the group.
struct GroupSummary: Sendable {
    /// Whose failure the awaiter receives. All other failures go to the stream of failures.
    enum Answer: Sendable, Equatable {
        /// Nobody's: the action was only dispatched, or promises a value that no flow returns.
        case nobody
        /// The first failure of a saga.
        case sagas
        case flow
    }

    /// What is only stored if there is anything to note but success and cuts. Stored indirectly, because it is large
    /// and rare.
    private struct Notes: Sendable {
        var refusal: Relux.EffectError?
        var isExpired = false
        var flow: RunResult?
        var failures: [any Error] = []
    }

    /// How runs were cut short.
    private struct Cuts: OptionSet {
        let rawValue: UInt8

        static let cancelled = Cuts(rawValue: 1)
        static let superseded = Cuts(rawValue: 2)
        static let dropped = Cuts(rawValue: 4)
    }

    private enum Contents: Sendable {
        case success
        indirect case noted(Notes)
    }

    var answer = Answer.nobody
    private var cuts: Cuts = []
    private var contents = Contents.success

    init(answer: Answer = .nobody) {
        self.answer = answer
    }

    /// A summary of what was refused.
    init(refusal: Relux.EffectError) {
        note(refusal: refusal)
    }

    // MARK: Notes

    /// Notes why nothing was triggered, or why there is no result although something was.
    mutating func note(refusal: Relux.EffectError) { change { $0.refusal = refusal } }

    /// Notes that the deadline of a timeout has passed.
    mutating func noteExpiry() { change { $0.isExpired = true } }

    mutating func note(_ result: RunResult, of kind: RunKind) {
        if kind == .flow { change { $0.flow = result } }
        switch result {
        case .failed(let error): change { $0.failures.append(error) }
        case .cancelled: cuts.insert(.cancelled)
        case .superseded: cuts.insert(.superseded)
        case .dropped: cuts.insert(.dropped)
        case .finished, .returned: break
        }
    }

    // inline(never): this would otherwise be copied to each place where something is noted, although little ever is.
    @inline(never)
    private mutating func change(_ body: (inout Notes) -> Void) {
        var notes = notes ?? Notes()
        body(&notes)
        contents = .noted(notes)
    }

    // MARK: Results

    private var notes: Notes? { if case .noted(let notes) = contents { notes } else { nil } }

    var refusal: Relux.EffectError? { notes?.refusal }

    /// Whether the deadline of a timeout has passed.
    var isExpired: Bool { notes?.isExpired == true }

    /// The result of the flow, if there was one.
    var flow: RunResult? { notes?.flow }

    var failures: [any Error] { notes?.failures ?? [] }

    /// Whether a run was cancelled, superseded, or dropped.
    var wasCutShort: Bool { !cuts.isEmpty }

    /// Whether the awaiter receives the failure of a run that ends now.
    func receivesFailure(of kind: RunKind) -> Bool {
        switch answer {
        case .flow: kind == .flow
        case .sagas: failures.isEmpty
        case .nobody: false
        }
    }

    /// What `perform` returns or throws.
    // inline(never): for values of no fixed size, an asynchronous function would allocate memory.
    @inline(never)
    func output<Output>(of type: Output.Type) throws(Relux.EffectError) -> Output {
        if case .success = contents, cuts.isEmpty {
            // unsafeBitCast: to the same type, which was just compared. `as?` would look up its metadata.
            if Output.self == Void.self { return unsafeBitCast((), to: Output.self) }
            throw .unhandled
        }
        return try outputFromNotes()
    }

    private func outputFromNotes<Output>() throws(Relux.EffectError) -> Output {
        let notes = notes ?? Notes()
        if let refusal = notes.refusal { throw refusal }
        switch notes.flow {
        case .returned(let returned):
            guard let output = returned.value as? Output else { throw .unhandled }
            return output
        case .failed(let error): throw Relux.EffectError(error)
        case .cancelled: throw .cancelled
        case .superseded: throw .superseded
        case .dropped: throw .dropped
        case .finished, nil: break
        }
        if let error = notes.failures.first { throw Relux.EffectError(error) }
        if cuts.contains(.cancelled) { throw .cancelled }
        if cuts.contains(.superseded) { throw .superseded }
        if cuts.contains(.dropped) { throw .dropped }
        guard let output = () as? Output else { throw .unhandled }
        return output
    }
}
