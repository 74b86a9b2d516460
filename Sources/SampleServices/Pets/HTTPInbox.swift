import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives what a session's servers send, piece by piece, and passes it on to the exchange concerned.
// @unchecked Sendable: the class that it inherits from has no state, and its own is behind a lock.
final class HTTPInbox: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let exchanges = Lock<[Int: HTTPExchange]>([:])
    private let queue: DispatchQueue

    /// Creates an inbox.
    ///
    /// - Parameter queue: The session's queue.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Passes on whatever arrives for a task. Must be called before the task is resumed.
    func deliver(_ task: URLSessionTask, to exchange: HTTPExchange) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exchange = exchanges.withLock { $0[dataTask.taskIdentifier] }
        guard let exchange, !exchange.take(data) else { return }
        queue.async { exchange.hangUp() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(task.response, error)
    }
}
