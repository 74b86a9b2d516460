import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request, from its beginning to its answer, or until nobody wants that any more: whichever comes first.
final class HTTPExchange: Sendable {
    typealias Answer = (Data, URLResponse)

    private struct Contents {
        var isOver = false
        var task: URLSessionDataTask?
        var continuation: CheckedContinuation<Answer, any Error>?
    }

    private let contents = Lock(Contents())

    /// Takes who waits for the answer.
    ///
    /// - Returns: Whether it is still wanted.
    func begin(_ continuation: CheckedContinuation<Answer, any Error>) -> Bool {
        let isOver = contents.withLock { contents in
            if !contents.isOver { contents.continuation = continuation }
            return contents.isOver
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        return !isOver
    }

    /// Sends the request, if its answer is still wanted. Called on the queue of the session, before `hangUp()`.
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

    /// Closes the connection, if there is one. Called on the queue of the session.
    func hangUp() {
        contents.withLock { $0.task }?.cancel()
    }

    /// Tells who waits how it went, unless that is known already.
    func end(with result: Result<Answer, any Error>) {
        let continuation = contents.withLock { contents in
            contents.isOver = true
            defer { contents.continuation = nil }
            return contents.continuation
        }
        continuation?.resume(with: result)
    }
}
