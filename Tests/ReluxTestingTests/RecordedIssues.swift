import Relux
import Testing

/// An issue as it appears in the test's output.
struct RecordedIssue: Equatable {
    let text: String
    let location: SourceLocation?
}

/// Runs a body and returns the issues that it records, instead of letting them fail the test.
func recordedIssues(_ body: () throws -> Void) rethrows -> [RecordedIssue] {
    let issues = Lock<[RecordedIssue]>([])
    try withKnownIssue(isIntermittent: true) {
        try body()
    } matching: { issue in
        issues.withLock { $0.append(RecordedIssue(issue)) }
        return true
    }
    return issues.withLock { $0 }
}

/// Runs an asynchronous body and returns the issues that it records, instead of letting them fail the test.
func recordedIssues(_ body: () async throws -> Void) async rethrows -> [RecordedIssue] {
    let issues = Lock<[RecordedIssue]>([])
    try await withKnownIssue(isIntermittent: true) {
        try await body()
    } matching: { issue in
        issues.withLock { $0.append(RecordedIssue(issue)) }
        return true
    }
    return issues.withLock { $0 }
}

extension RecordedIssue {
    fileprivate init(_ issue: Issue) {
        text = issue.comments.map(\.rawValue).joined(separator: "\n")
        location = issue.sourceLocation
    }
}
