import Baselines
import Opaque
import Relux

extension Workload {
    /// An action that is reduced, and shown by a view state, before the call returns.
    package static let dispatchNowWithViewState = Workload("dispatchNow with a view state that changes") {
        let store = try await Relux.Store { CounterModule() }
        let screen = try await Screen(of: store, states: 1) { count, _ in count }
        return Session { operations in await screen.dispatchNow(operations) }
    }

    /// An action, with view states of which one changes.
    package static func dispatchNow(withViewStates number: Int) -> Workload {
        Workload("dispatchNow with \(number) view states, one of which changes") {
            let store = try await Relux.Store { CounterModule() }
            let screen = try await Screen(of: store, states: number) { count, index in index == 0 ? count : index }
            return Session { operations in await screen.dispatchNow(operations) }
        }
    }

    /// The selections of as many view states, called in a loop.
    package static func selections(_ number: Int) -> Workload {
        Workload("\(number) selections") {
            let selections = (0..<number).map { index in
                { @Sendable (counter: Counter) in index == 0 ? counter.count : index }
            }
            return Session { operations in
                var sum = 0
                for operation in 0..<operations {
                    let counter = Counter(operation)
                    for selection in selections {
                        sum &+= selection(counter)
                        relux_opaque()
                    }
                }
                if sum == 1 { relux_opaque() }
            }
        }
    }

    /// The turns of the main actor for 1,000 actions that are sent at once, with 100 view states. A turn counts as a
    /// millisecond.
    package static let turns = Workload("turns of the main actor for 1,000 actions") {
        let store = try await Relux.Store { CounterModule() }
        let screen = try await Screen(of: store, states: 100) { count, index in count &+ index }
        return .timingItself { operations in
            var turns = 0
            for _ in 0..<operations { turns += await screen.turns(for: 1_000) }
            return .milliseconds(turns)
        }
    }
}

/// View states of a counter.
@MainActor
private final class Screen {
    private let store: Relux.Store
    private let states: [Relux.UI.ViewState<Int>]
    private var sent = 0

    init(
        of store: Relux.Store, states number: Int, _ select: @escaping @Sendable (_ count: Int, _ index: Int) -> Int
    ) throws {
        self.store = store
        states = try (0..<number).map { index in
            try store.viewState(of: Counter.self) { select($0.count, index) }
        }
    }

    func dispatchNow(_ operations: Int) {
        for _ in 0..<operations {
            store.dispatchNow(Counter.Action.add(1))
            relux_opaque()
        }
    }

    /// Sends actions, and returns the number of updates until all of them are shown.
    func turns(for count: Int) async -> Int {
        var turns = 0
        sent += count
        await withCheckedContinuation { continuation in
            states[0].didChange = { [states, sent] _ in
                turns += 1
                if states[0].value == sent { continuation.resume() }
            }
            for _ in 0..<count { store.send(Counter.Action.add(1)) }
        }
        states[0].didChange = nil
        return turns
    }
}
