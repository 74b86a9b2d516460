import Relux
import Synchronization

/// An object that reports its deinitialisation. Tests store it in things that must not leak.
final class Probe: Sendable, Equatable {
    /// Fires when the object is deinitialised.
    let gone = Event()

    deinit { gone.fire() }

    static func == (lhs: Probe, rhs: Probe) -> Bool { lhs === rhs }
}

extension Probe {
    /// Passes an object on.
    ///
    /// - Returns: The end of the object, which only what the body does can keep.
    nonisolated(nonsending) static func pass(
        to body: nonisolated(nonsending) (Probe) async throws -> Void
    ) async rethrows -> Event {
        let probe = Probe()
        try await body(probe)
        return probe.gone
    }
}

/// An action that holds an object.
struct ProbedAction: Relux.Action {
    let probe: Probe
}

/// Calls a closure when it goes.
final class Farewell: Sendable, Equatable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit { body() }

    static func == (lhs: Farewell, rhs: Farewell) -> Bool { lhs === rhs }
}

/// An event that happens at most once, and that one task can await.
final class Event: Sendable {
    private let isOver = Atomic(false)
    private let (end, continuation) = AsyncStream.makeStream(of: Never.self)

    var hasFired: Bool { isOver.load(ordering: .acquiring) }

    func fire() {
        isOver.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// Waits for the event. The test's time limit ends the wait otherwise.
    ///
    /// - Returns: Whether it has happened.
    func happened() async -> Bool {
        for await _ in end {}
        return hasFired
    }
}

/// A state that holds an object.
struct ProbedState: Relux.State {
    var probe: Probe?
    var count = 0

    enum Action: Relux.Action, Hashable {
        case count
    }

    mutating func reduce(_ action: Action) { count += 1 }
}
