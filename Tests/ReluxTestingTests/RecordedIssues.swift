import Relux
import Testing

/// An issue as a reader of the test's output sees it.
struct RecordedIssue: Equatable {
    let text: String
    let location: SourceLocation?
}

/// Runs something that may record issues, and takes them instead of the test.
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

/// Runs something asynchronous that may record issues, and takes them instead of the test.
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
