import Dispatch

/// Executes calls that may take long one after the other, on a thread that nothing else waits for.
final class StorageQueue: Sendable {
    private let queue = DispatchQueue(label: "Relux storage")

    /// - Cancellation: Ignored: what is written is written.
    func run<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
