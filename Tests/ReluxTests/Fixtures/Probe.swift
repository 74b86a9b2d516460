@testable import Relux

/// An object that signals its deinitialisation. Tests store it in things that must not leak.
final class Probe: Sendable, Equatable {
    /// Fires when the object is deinitialised.
    let gone = Signal()

    deinit { gone.fire() }

    static func == (lhs: Probe, rhs: Probe) -> Bool { lhs === rhs }
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

extension Signal {
    /// Waits until the signal fires. The test's time limit ends the wait otherwise.
    func happened() async -> Bool { await waitUnlessCancelled() }
}

/// A weak reference to an object.
// @unchecked Sendable: the reference is set once, and reading a weak one is atomic.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object?) {
        self.object = object
    }
}
