import Relux
import ReluxTesting
import Testing

/// Every phase reachable from every other, compared with values tracked by hand.
@Suite("Loadable: every phase", .timeLimit(.minutes(10)))
struct LoadableStateSpaceTests {
    @Test("after any event in any phase, the last value and the last failure are correct")
    func phases() {
        let report = StateSpace.explore(
            from: Screen(),
            actions: Screen.Event.allCases,
            invariants: Screen.invariants,
            reduce: { $0.take($1) }
        )

        // Idle: one. Loading: four, without a value or with one of three. Failed: four for each of two failures.
        // Loaded: three.
        #expect(report.states == 1 + 4 + 4 * 2 + 3)
        #expect(report.isComplete)
    }
}

private struct Screen: Hashable {
    struct Failure: Error, Hashable {
        let code: Int
    }

    enum Event: Hashable, CaseIterable {
        case started, first, second, failed, failedOtherwise, cancelled, changed
    }

    private(set) var loadable = Relux.Loadable<Int, Failure>.idle
    private(set) var value: Int?
    private(set) var failure: Failure?
    private(set) var isLoading = false

    static let invariants: [StateSpace.Invariant<Screen>] = [
        .init("the value is the last one that arrived") { $0.loadable.value == $0.value },
        .init("the failure is that of the last attempt") { $0.loadable.failure == $0.failure },
        .init("it is loading from the beginning of an attempt to its end") {
            $0.loadable.isLoading == $0.isLoading
        },
        .init("it is in one phase") { screen in
            let loadable = screen.loadable
            let phases = [loadable.isIdle, loadable.isLoading, loadable.isLoaded, loadable.failure != nil]
            return phases.filter(\.self).count == 1
        },
        .init("another value and failure change no phase") { screen in
            let other = screen.loadable.map { -$0 }.mapFailure { Screen.Failure(code: -$0.code) }
            let phases = [other.isIdle, other.isLoading, other.isLoaded]
            return other.value == screen.value.map { -$0 }
                && other.failure?.code == screen.failure.map { -$0.code }
                && phases == [screen.loadable.isIdle, screen.loadable.isLoading, screen.loadable.isLoaded]
        },
    ]

    mutating func take(_ event: Event) {
        switch event {
        case .started:
            loadable.startLoading()
            (failure, isLoading) = (nil, true)
        case .first: end(.success(1))
        case .second: end(.success(2))
        case .failed:
            loadable.fail(with: Failure(code: 1))
            (failure, isLoading) = (Failure(code: 1), false)
        case .failedOtherwise: end(.failure(Failure(code: 2)))
        case .cancelled:
            loadable.cancelLoading()
            isLoading = false
        case .changed:
            let answer: Int? = loadable.update { value in
                value = 3
                return value
            }
            value = answer
        }
    }

    private mutating func end(_ result: Result<Int, Failure>) {
        loadable.finish(with: result)
        isLoading = false
        switch result {
        case .success(let value): (self.value, failure) = (value, nil)
        case .failure(let failure): self.failure = failure
        }
    }
}
