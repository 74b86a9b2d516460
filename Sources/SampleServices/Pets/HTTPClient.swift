import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends HTTP requests. Once an answer is no longer wanted, callers wait for neither the server nor the system.
///
/// The underlying `URLSession` is used only on a queue of its own. On Linux, starting or cancelling a request blocks
/// until the session has finished what it is doing, even if that is a DNS lookup. In addition, the session's own
/// `data(for:)` can deadlock: it cancels the request while the cancelled task can't proceed, and if an answer arrives
/// at that moment, it waits for that task.
///
/// - Isolation: None.
/// - Ordering: Requests start in the order in which they were made. A request that was cancelled before its turn isn't
///   started.
/// - Cancellation: `answer(to:)` throws immediately, and the connection is closed as soon as the system releases it.
/// - Lifetime: Connections are closed when the client is released.
final class HTTPClient: Sendable {
    private let session: URLSession
    private let inbox: HTTPInbox
    private let queue = DispatchQueue(label: "HTTPClient")

    /// Creates a client.
    ///
    /// - Parameter timeout: How many seconds a server may send nothing before a request fails.
    init(protocols: [AnyClass] = [], timeout: TimeInterval = 60) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        // Answers must not be cached. In addition, on Linux, cancelling a request during its cache lookup may trap.
        configuration.urlCache = nil
        configuration.protocolClasses = protocols + (configuration.protocolClasses ?? [])
        inbox = HTTPInbox(queue: queue)
        session = URLSession(configuration: configuration, delegate: inbox, delegateQueue: nil)
    }

    deinit {
        // Queued behind all requests, because an invalidated session accepts no requests.
        queue.async { [session] in session.invalidateAndCancel() }
    }

    /// Sends a request.
    ///
    /// - Returns: The complete answer.
    /// - Throws: Why there is no answer, ``HTTPExchange/TooLong``, or `CancellationError` if the task was cancelled.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let exchange = HTTPExchange()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                queue.async { [session, inbox] in exchange.start(request, in: session, inbox) }
            }
        } onCancel: {
            exchange.end(with: .failure(CancellationError()))
            queue.async { exchange.hangUp() }
        }
    }
}

/// Receives what a session's servers send, piece by piece, and passes it on to the exchange concerned.
final class HTTPInbox: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: HTTPExchange]>([:])
    private let queue: DispatchQueue

    /// Creates an inbox.
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
