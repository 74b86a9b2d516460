import Relux
import Testing

/// Takes the issues that a scenario records, so that they become part of the one issue of its seed.
///
/// - Ordering: Swift Testing hands an issue over in the task that records it, before that goes on.
final class IssueCapture: Sendable {
    private let journal = Lock<Journal?>(nil)

    /// Whose issues come next.
    func write(to journal: Journal?) {
        self.journal.withLock { $0 = journal }
    }

    /// Runs something whose issues go to the journal. Outside of a test there are none.
    func whileCapturing(_ body: @escaping @Sendable () async -> Void) async {
        guard let test = Test.current else { return await body() }

        let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
            // Warnings and known issues are no failures, and go on as they are.
            guard issue.isFailure, let journal = journal.withLock({ $0 }) else { return issue }
            journal.fail(Self.text(of: issue))
            return nil
        }
        // It throws only what the body throws.
        try? await trait.provideScope(for: test, testCase: Test.Case.current) { await body() }
    }

    private static func text(of issue: Issue) -> String {
        let place = issue.sourceLocation.map { " (\($0.fileID):\($0.line))" } ?? ""
        return StableText.of(issue) + place
    }
}
