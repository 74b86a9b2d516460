import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request, from its start until it is answered or no longer wanted, whichever happens first.
final class HTTPExchange: Sendable {
    typealias Answer = (Data, URLResponse)

    /// The body of an answer is longer than the limit.
    struct TooLong: Error {}

    /// The maximum number of bytes of a body, so that a server can't fill the memory.
    static let longestBody = 8 << 20

    private struct Contents {
        var isOver = false
        var body = Data()
        var task: URLSessionDataTask?
        var continuation: CheckedContinuation<Answer, any Error>?
    }

    private let contents = Mutex(Contents())

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
    func start(_ request: URLRequest, in session: URLSession, _ inbox: HTTPInbox) {
        guard contents.withLock({ !$0.isOver }) else { return }
        let task = session.dataTask(with: request)
        inbox.deliver(task, to: self)
        contents.withLock { $0.task = task }
        task.resume()
    }

    /// Adds a part of the body. If the body gets too long, the exchange ends.
    ///
    /// - Returns: Whether the rest is still wanted.
    func take(_ data: Data) -> Bool {
        let (isWanted, fits) = contents.withLock { contents in
            let fits = contents.body.count + data.count <= Self.longestBody
            if !contents.isOver, fits { contents.body += data }
            return (!contents.isOver, fits)
        }
        if isWanted, !fits { end(with: .failure(TooLong())) }
        return isWanted && fits
    }

    /// Ends the exchange with the complete body, or with an error.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let response, error == nil {
            end(with: .success((contents.withLock { $0.body }, response)))
        } else {
            end(with: .failure(error ?? URLError(.badServerResponse)))
        }
    }

    /// Closes the connection if there is one. Must be called on the session's queue.
    func hangUp() {
        contents.withLock { $0.task }?.cancel()
    }

    /// Resumes the waiter with a result, unless it has already been resumed.
    func end(with result: Result<Answer, any Error>) {
        let continuation = contents.withLock { contents in
            contents.isOver = true
            contents.body = Data()
            defer { contents.continuation = nil }
            return contents.continuation
        }
        continuation?.resume(with: result)
    }
}
