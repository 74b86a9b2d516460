import Relux
import Testing

/// Captures the issues that a scenario records, so that they become part of the single issue reported for its seed.
///
/// An issue belongs to the seed in either of two cases:
///
/// - Its code inherits the task-local values of the scenario. It is then matched by a scope of known issues that
///   surrounds the scenario. This scope also keeps the issue from a `withKnownIssue` around the whole exploration,
///   which is meant for the issue that the exploration reports.
/// - Its code runs on the thread that drives the seed, or on the main actor's while that executes code of the
///   simulation. This covers the runs that a `send` triggers, and what view states then do, which inherit no task-local
///   values. Swift Testing broadcasts their issues to every test that is running, so an issue from another thread
///   belongs to another test and passes through unchanged.
///
/// - Ordering: Swift Testing delivers an issue in the task that records it, before that task continues.
package final class IssueCapture: Sendable {
    /// The journal of the scenario that the current task belongs to.
    @TaskLocal static var journal: Journal?

    private struct Contents {
        /// The journals of the seeds, by the threads that drive them.
        var journals: [UInt: Journal] = [:]
        /// Threads that have just recorded an issue that was captured, and are about to deliver it.
        var delivering: Set<UInt> = []
    }

    private let contents = Lock(Contents())

    package init() {}

    /// Captures the issues of one seed, which the calling thread drives, for as long as the body runs.
    func write<Result>(to journal: Journal, during body: () -> Result) -> Result {
        contents.withLock { $0.journals[CurrentThread.identity] = journal }
        defer { _ = contents.withLock { $0.journals.removeValue(forKey: CurrentThread.identity) } }
        return Self.$journal.withValue(journal) { body() }
    }

    /// Makes the calling thread the one that drives a seed, for as long as the body runs.
    ///
    /// - Parameter body: Gets a function that executes a closure on a thread that the driving thread waits for.
    package func drive<Result>(_ body: (_ lend: @escaping @Sendable (() -> Void) -> Void) -> Result) -> Result {
        let journal = Journal(clock: ManualClock())
        return write(to: journal) {
            body { guest in
                journal.lend(to: CurrentThread.identity)
                guest()
                journal.lend(to: nil)
            }
        }
    }

    /// Whether an issue belongs to the seed if it reaches this capture from the calling thread by a broadcast.
    package var takesBroadcasts: Bool { drivenJournal != nil }

    private var drivenJournal: Journal? {
        let thread = CurrentThread.identity
        return contents.withLock { contents in
            contents.journals[thread] ?? contents.journals.values.first { $0.isLent(to: thread) }
        }
    }

    /// Runs the body and writes its issues to the journal. Outside a test, it runs the body without capturing.
    func whileCapturing<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let result = Shared<Value?>(nil)
        if let test = Test.current { await whileCapturing(in: test) { result.value = await body() } }
        if let value = result.value { return value }
        return await body()
    }

    private func whileCapturing(in test: Test, _ body: @escaping @Sendable () async -> Void) async {
        let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
            if hasCaptured() { return nil }
            // Warnings and the scenario's own known issues are not failures and pass through unchanged.
            guard issue.isFailure, let journal = drivenJournal else { return issue }
            Self.write(issue, to: journal)
            return nil
        }
        // `provideScope` throws only what the body throws, and this body doesn't throw.
        try? await trait.provideScope(for: test, testCase: Test.Case.current) {
            await withKnownIssue(isIntermittent: true) {
                await body()
            } matching: { [self] issue in
                capture(issue)
            }
        }
    }

    /// Writes an issue that inherits the scope of the scenario to the journal.
    private func capture(_ issue: Issue) -> Bool {
        // A task that has outlived its seed belongs to none.
        guard issue.isFailure, let journal = Self.journal,
            contents.withLock({ $0.journals.values.contains { $0 === journal } })
        else { return false }
        Self.write(issue, to: journal)
        contents.withLock { _ = $0.delivering.insert(CurrentThread.identity) }
        return true
    }

    /// Whether the issue that this thread delivers has been captured.
    private func hasCaptured() -> Bool {
        contents.withLock { $0.delivering.remove(CurrentThread.identity) != nil }
    }

    private static func write(_ issue: Issue, to journal: Journal) {
        let place = issue.sourceLocation.map { " (\($0.fileID):\($0.line))" } ?? ""
        journal.fail(StableText.of(issue) + place, kind: "issue\(place)")
    }
}
