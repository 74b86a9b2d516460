@testable import Relux

/// An object that says when it is gone: what a test puts into whatever must not leak.
final class Probe: Sendable, Equatable {
    /// Fires with the end of the object.
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
    /// Waits until it fires; a test's time limit ends that.
    func happened() async -> Bool { await waitUnlessCancelled() }
}

/// Doesn't keep what it names.
final class WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) {
        self.object = object
    }
}
