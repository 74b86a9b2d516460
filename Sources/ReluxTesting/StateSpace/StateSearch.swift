/// A breadth-first search of a state space.
struct StateSearch<State: Equatable, Action> {
    /// How a state was first reached.
    private struct Origin {
        let parent: Int
        let action: Action
    }

    private let start: State
    private let depth: Int
    private let limit: Int
    private let seen: SeenStates<State>

    /// The origins of all states except the start, which is number 0.
    private var origins: [Origin] = []
    private var transitions = 0
    private var reached = 0

    init(start: State, depth: Int, limit: Int) {
        self.start = start
        self.depth = depth
        self.limit = limit
        seen = SeenStates.fitting(start)
    }

    mutating func run(
        actions: (State) -> [Action],
        reduce: (inout State, Action) -> Void,
        check: (State) -> StateSpace.Broken?
    ) -> Report {
        _ = seen.insert(start)
        if let broken = check(start) { return report(broken, at: 0, before: nil, start) }

        var frontier = [(number: 0, state: start)]
        while !frontier.isEmpty {
            guard reached < depth else { return report(cut: .depth) }
            var next: [(number: Int, state: State)] = []
            for (number, state) in frontier {
                for action in actions(state) {
                    var successor = state
                    reduce(&successor, action)
                    transitions += 1
                    guard seen.insert(successor) else { continue }
                    guard origins.count + 1 < limit else { return report(cut: .limit) }

                    origins.append(Origin(parent: number, action: action))
                    if let broken = check(successor) {
                        reached += 1
                        return report(broken, at: origins.count, before: state, successor)
                    }
                    next.append((origins.count, successor))
                }
            }
            if !next.isEmpty { reached += 1 }
            frontier = next
        }
        return report(cut: nil)
    }
}

// MARK: - Reporting

extension StateSearch {
    typealias Report = StateSpace.Report<State, Action>

    private func report(cut: StateSpace.Cut?) -> Report {
        Report(states: origins.count + 1, transitions: transitions, depth: reached, cut: cut, violation: nil)
    }

    private func report(
        _ invariant: StateSpace.Broken,
        at number: Int,
        before: State?,
        _ state: State
    ) -> Report {
        Report(
            states: origins.count + 1,
            transitions: transitions,
            depth: reached,
            cut: .violation,
            violation: StateSpace.Violation(
                invariant: invariant.name,
                actions: path(to: number),
                stateBefore: before,
                state: state
            )
        )
    }

    private func path(to number: Int) -> [Action] {
        var actions: [Action] = []
        var number = number
        while number > 0 {
            let origin = origins[number - 1]
            actions.append(origin.action)
            number = origin.parent
        }
        return actions.reversed()
    }
}
