import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks servers, and waits for none of them, nor for the system, once an answer isn't wanted any more.
///
/// The system's session is only spoken to on a queue of its own. On Linux it makes whoever starts or cancels a request
/// wait for all that it is busy with, be it the look-up of a name. And its own `data(for:)` cancels while the task that
/// is cancelled can't go on, but waits for it where an answer comes at that moment: neither ever ends.
///
/// - Isolation: None.
/// - Ordering: Requests begin in the order in which they were made, and one that has been cancelled by then doesn't.
/// - Cancellation: `answer(to:)` throws at once, and the connection is closed as soon as the system lets go of it.
/// - Lifetime: It closes its connections when it goes.
final class HTTPClient: Sendable {
    private let session: URLSession
    private let queue = DispatchQueue(label: "HTTPClient")

    /// Makes a client.
    ///
    /// - Parameter protocols: Answer in place of servers. The default is nobody.
    init(protocols: [AnyClass] = []) {
        let configuration = URLSessionConfiguration.ephemeral
        // Nothing is answered from a cache; and on Linux, to cancel a request that is being looked for in one may trap.
        configuration.urlCache = nil
        configuration.protocolClasses = protocols + (configuration.protocolClasses ?? [])
        session = URLSession(configuration: configuration)
    }

    deinit {
        // After everything that has been asked for: a session that has ended takes no request.
        queue.async { [session] in session.invalidateAndCancel() }
    }

    /// Sends a request.
    ///
    /// - Parameter request: What to ask, and whom.
    /// - Returns: The whole answer.
    /// - Throws: Why there is none; `CancellationError` where nobody waits for it any more.
    func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        let exchange = HTTPExchange()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                queue.async { [session] in exchange.start(request, in: session) }
            }
        } onCancel: {
            exchange.end(with: .failure(CancellationError()))
            queue.async { exchange.hangUp() }
        }
    }
}
