import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request, from its start until it is answered or no longer wanted, whichever happens first.
final class HTTPExchange: Sendable {
    typealias Answer = (Data, URLResponse)

    private struct Contents {
        var isOver = false
        var task: URLSessionDataTask?
        var continuation: CheckedContinuation<Answer, any Error>?
    }

    private let contents = Lock(Contents())

    /// Stores the continuation that waits for the answer.
    ///
    /// - Returns: Whether the answer is still wanted.
    func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
        let isOver = contents.withLock { contents in
            if !contents.isOver { contents.continuation = continuation }
            return contents.isOver
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        return !isOver
    }

    /// Sends the request if its answer is still wanted. Must be called on the session's queue, before `hangUp()`.
    func start(_ request: URLRequest, in session: URLSession) {
        guard contents.withLock({ !$0.isOver }) else { return }
        let task = session.dataTask(with: request) { data, response, error in
            if let data, let response, error == nil {
                self.end(with: .success((data, response)))
            } else {
                self.end(with: .failure(error ?? URLError(.badServerResponse)))
            }
        }
        contents.withLock { $0.task = task }
        task.resume()
    }

    /// Closes the connection if there is one. Must be called on the session's queue.
    func hangUp() {
        contents.withLock { $0.task }?.cancel()
    }

    /// Resumes the waiter with a result, unless it has already been resumed.
    func end(with result: Result<Answer, any Error>) {
        let continuation = contents.withLock { contents in
            contents.isOver = true
            defer { contents.continuation = nil }
            return contents.continuation
        }
        continuation?.resume(with: result)
    }
}
