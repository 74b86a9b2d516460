import Relux
import Testing

/// Captures the issues that a scenario records, so that they become part of the single issue reported for its seed.
///
/// - Ordering: Swift Testing delivers an issue in the task that records it, before that task continues.
final class IssueCapture: Sendable {
    private let journal = Lock<Journal?>(nil)

    /// Sets the journal that receives subsequent issues. With nil, issues pass through unchanged.
    func write(to journal: Journal?) {
        self.journal.withLock { $0 = journal }
    }

    /// Runs the body and writes its issues to the journal. Outside a test, it runs the body without capturing.
    func whileCapturing(_ body: @escaping @Sendable () async -> Void) async {
        guard let test = Test.current else { return await body() }

        let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
            // Warnings and known issues are not failures and pass through unchanged.
            guard issue.isFailure, let journal = journal.withLock({ $0 }) else { return issue }
            journal.fail(Self.text(of: issue))
            return nil
        }
        // `provideScope` throws only what the body throws, and this body doesn't throw.
        try? await trait.provideScope(for: test, testCase: Test.Case.current) { await body() }
    }

    private static func text(of issue: Issue) -> String {
        let place = issue.sourceLocation.map { " (\($0.fileID):\($0.line))" } ?? ""
        return StableText.of(issue) + place
    }
}
