import Relux
import Testing

/// The events that a test must not overlook: errors that nobody received, actions and effects that nothing takes,
/// refused writes, children of a state that are left out, and states that could not be loaded.
///
/// A report that an earlier expectation covers doesn't count as an oversight.
struct Oversights: Sendable {
    /// Something that the test neither expected nor received.
    struct Oversight: Sendable {
        enum Kind: Sendable {
            case failure(any Error)
            case untaken(any Relux.Action)
            case refusedWrite
            case childLeftOut
            /// Rules that never end, a handler that shadows another one, an instance that can't be dismissed, an action
            /// that is dispatched synchronously inside a store, a replacement without the output of its effect, or a
            /// run that would wait for itself.
            case misuse
            case notLoaded
        }

        let kind: Kind
        /// A message that says what happened, and how to state that it is expected.
        let text: String

        // Texts are made from descriptions of the user's values, so neither initializer may be called in a lock.

        /// Creates the oversight of an error.
        ///
        /// - Parameter source: The run or call that threw the error, such as `Notes.Saga #1`.
        init(_ error: any Error, of source: String) {
            kind = .failure(innermost(error))
            let type = TypeName.short(type(of: innermost(error)))
            let line = ErrorText.line(error)
            text = """
                Nobody received the error of \(source): \(line)\(line.hasSuffix(".") ? "" : ".") If that is right, \
                state it before: `expectFailure(\(type).self)`.
                """
        }

        /// Creates the oversight of an error that nobody received.
        init(_ error: any Error, of run: Relux.RunRecord) {
            self.init(error, of: "\(RunText.name(run)), triggered at \(run.callSite)")
        }

        /// Creates the oversight of a refusal.
        init(_ kind: Kind, _ refusal: Relux.Refusal) {
            self.kind = kind
            text = "\(StableText.of(refusal)) If that is right, state it before: `expectRefusal()`."
        }
    }

    /// An expectation, which covers every later report of its kind.
    private struct Expectation {
        /// The call that stated it, such as `expectRefusal()`.
        let call: String
        let location: SourceLocation
        /// Whether an error is the expected one; nil if refusals are expected.
        let matches: (@Sendable (any Error) -> Bool)?
        var isMet = false
    }

    private var expectations: [Expectation] = []

    // MARK: Expectations

    mutating func expectFailure<E: Error>(_ type: E.Type, _ location: SourceLocation) {
        let call = "expectFailure(\(TypeName.short(type)).self)"
        expectations.append(Expectation(call: call, location: location) { innermost($0) is E || $0 is E })
    }

    mutating func expectRefusal(_ location: SourceLocation) {
        expectations.append(Expectation(call: "expectRefusal()", location: location, matches: nil))
    }

    /// Whether refusals are expected.
    var expectsRefusal: Bool { expectations.contains { $0.matches == nil } }

    /// The expectations that nothing has met: their calls and where they were made.
    var unmet: [(call: String, location: SourceLocation)] {
        expectations.filter { !$0.isMet }.map { ($0.call, $0.location) }
    }

    // MARK: Reports

    mutating func ended(_ outcome: Relux.RunOutcome) {
        if case .failed(let error) = outcome { _ = meetFailure(error) }
    }

    /// Notes an error that nobody received.
    ///
    /// - Returns: Whether it is an oversight.
    mutating func unreceived(_ error: any Error) -> Bool {
        // A failed `#require` has recorded its issue itself.
        !(innermost(error) is ExpectationFailedError) && !meetFailure(error)
    }

    /// Notes a refusal.
    ///
    /// - Parameter areWritesForbidden: Whether a refused write, a missing instance, or a child that is left out is an
    ///   oversight.
    /// - Returns: The kind of the oversight; nil if it is none.
    mutating func refused(_ refusal: Relux.Refusal, areWritesForbidden: Bool = true) -> Oversight.Kind? {
        let kind: Oversight.Kind?
        switch refusal.reason {
        case .effectNotTaken, .actionNotTaken: kind = refusal.action.map { .untaken($0) }
        case .noInstance, .instanceLoading:
            // A caller that reads from a missing instance receives an error.
            guard let action = refusal.action else { return nil }
            kind = areWritesForbidden ? .untaken(action) : nil
        case .staleWrite: kind = areWritesForbidden ? .refusedWrite : nil
        case .duplicateChild, .childNotRegistered: kind = areWritesForbidden ? .childLeftOut : nil
        case .endlessRules, .endlessUpdates, .sharedChild, .shadows, .notDismissible, .insideStore,
            .replacementWithoutOutput, .waitCycle:
            kind = .misuse
        case .notLoaded: kind = areWritesForbidden ? .notLoaded : nil
        // Middleware drops actions on purpose, but the action of a step must not be dropped unexpectedly.
        case .droppedByMiddleware: kind = nil
        default: return nil
        }
        // The caller of `perform` receives an error, unless it is `dropped`, which is an outcome.
        guard !meetRefusal(), !refusal.isPerformed else { return nil }
        return kind
    }

    /// Notes that an oversight is covered, if an expectation covers it.
    mutating func cover(_ kind: Oversight.Kind) -> Bool {
        if case .failure(let error) = kind { meetFailure(error) } else { meetRefusal() }
    }

    private mutating func meetFailure(_ error: any Error) -> Bool {
        meet { $0?(error) == true }
    }

    private mutating func meetRefusal() -> Bool {
        meet { $0 == nil }
    }

    private mutating func meet(_ isConcerned: ((@Sendable (any Error) -> Bool)?) -> Bool) -> Bool {
        var isMet = false
        for index in expectations.indices where isConcerned(expectations[index].matches) {
            expectations[index].isMet = true
            isMet = true
        }
        return isMet
    }
}

/// The error that a saga let through, without the wrapping of `perform`.
func innermost(_ error: any Error) -> any Error {
    if case Relux.EffectError.failed(let inner) = error { innermost(inner) } else { error }
}
