import Dispatch

/// Executes long calls one after the other, on a thread of its own, so that no other work waits for them.
final class StorageQueue: Sendable {
    private let queue = DispatchQueue(label: "Relux storage")

    /// - Cancellation: Ignored: a call that has begun is completed.
    func run<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
