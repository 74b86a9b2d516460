import Relux
import ReluxTesting
import Testing

@Suite("StateSpace", .timeLimit(.minutes(10)))
struct StateSpaceTests {
    @Test("every reachable state is visited once, and every action is tried in each")
    func complete() {
        let report = StateSpace.explore(from: Light(), actions: [.switched, .broke]) { _ in true }

        #expect(report.states == 3)
        #expect(report.transitions == 6)
        #expect(report.depth == 1)
        #expect(report.isComplete)
        #expect(report.description == "3 states, 6 transitions, depth 1; complete")
    }

    @Test("the numbers of states and transitions of a known space are right")
    func knownSpace() {
        let report = StateSpace.explore(from: Pair(), actions: [.left, .right]) { _ in true }

        #expect(report.states == 100)
        #expect(report.transitions == 200)
        #expect(report.depth == 18)
    }

    @Test("the depth cuts the search short, and the states at that depth are still checked")
    func depth() {
        var visited: [Pair] = []

        let report = StateSpace.explore(from: Pair(), actions: [.left, .right], depth: 2) { state in
            visited.append(state)
            return true
        }

        #expect(visited.map(\.sum) == [0, 1, 1, 2, 2, 2])
        #expect(report.cut == .depth)
        #expect(report.description == "6 states, 6 transitions, depth 2; cut short by the depth")
    }

    @Test("the limit cuts the search short before one more state")
    func limit() {
        var report: StateSpace.Report<Pair, Pair.Action>?

        let issues = recordedIssues {
            report = StateSpace.explore(from: Pair(), actions: [.left, .right], limit: 4) { _ in true }
        }

        #expect(report?.cut == .limit)
        #expect(report?.states == 4)
        #expect(
            issues.map(\.text) == [
                """
                The search was cut off by its limit of 4 states, and there are others that it hasn't visited. Raise the \
                `limit`, or choose a `depth`.

                4 states, 4 transitions, depth 1; cut short by the limit of states
                """
            ]
        )
    }

    @Test("a search that visits only the start fails")
    func onlyTheStart() {
        let issues = recordedIssues {
            StateSpace.explore(from: Light(isBroken: true), actions: [.switched]) { _ in true }
            StateSpace.explore(from: Pair(), actions: []) { _ in true }
            StateSpace.explore(from: Pair(), actions: [.left], depth: 0) { _ in true }
        }

        #expect(
            issues.map { $0.text.split(separator: "\n").first } == [
                "Only the start was visited, because no action changes it. Start elsewhere, or try other actions.",
                "Only the start was visited, because there are no actions to try in it.",
                "Only the start was visited, because the `depth` allows no action. Raise it.",
            ]
        )
    }

    // Four closures without types took the compiler minutes, or it gave up.
    @Test("several invariants can be written without types")
    func untypedInvariants() {
        let report = StateSpace.explore(
            from: Pair(),
            actions: [.left, .right],
            depth: 3,
            invariants: [
                .init("one") { $0.left >= 0 },
                .init("two") { $0.left + $0.right <= 3 && $0.right < 4 },
                .init("three") { $0.left > 0 || $0.right >= 0 },
                .init("four") { [$0.left, $0.right].allSatisfy { $0 >= 0 } || $0.left == 0 },
            ]
        )

        #expect(report.states == 10)
    }

    @Test("a space with exactly as many states as the limit allows is complete")
    func exactLimit() {
        let report = StateSpace.explore(from: Light(), actions: [.switched, .broke], limit: 3) { _ in true }

        #expect(report.isComplete)
    }

    @Test("actions can depend on the state")
    func dependentActions() {
        let report = StateSpace.explore(
            from: Pair(),
            actions: { $0.left < 3 ? [.left] : [] },
            invariant: { $0.right == 0 }
        )

        #expect(report.states == 4)
        #expect(report.transitions == 3)
        #expect(report.isComplete)
    }

    @Test("states that aren't hashable are recognised when they recur, too")
    func equatableStates() {
        let report = StateSpace.explore(from: Dial(), actions: [.turned]) { _ in true }

        #expect(report.states == 5)
        #expect(report.transitions == 5)
        #expect(report.isComplete)
    }

    @Test("any values and any reducer can be explored")
    func plainReducer() {
        let report = StateSpace.explore(
            from: 1,
            actions: [2, 3],
            invariants: [.init("it never vanishes") { $0 != 0 }],
            reduce: { state, factor in state = state * factor % 7 }
        )

        #expect(report.isComplete)
        #expect(report.states == 6)
        #expect(report.transitions == 12)
    }
}

// MARK: - Additional reducers

extension StateSpaceTests {
    @Test("actions of other types reach the additional reducers, in their order, after the state's own")
    func additionalReducers() {
        let reducers: [Relux.Reducer] = [
            .init(of: Pair.self, on: Reset.self) { state, _ in state = Pair() },
            .init(of: Dial.self, on: Reset.self) { state, _ in state.position = 3 },
            .init(of: Pair.self, on: Reset.self) { state, reset in state.right = reset.right },
            .init(of: Pair.self, on: Pair.Action.self) { state, _ in state.left = min(state.left, 2) },
        ]
        var states: [Pair] = []

        let report = StateSpace.explore(
            from: Pair(),
            actions: { state in
                states.append(state)
                return [Pair.Action.left, Reset(right: 5)]
            },
            reducers: reducers,
            invariants: []
        )

        let expected = [(0, 0), (1, 0), (0, 5), (2, 0), (1, 5), (2, 5)].map { Pair(left: $0, right: $1) }
        #expect(states == expected)
        #expect(report.isComplete)
        #expect(report.transitions == 12)
    }

    @Test("an action that no reducer of the state takes changes nothing")
    func foreignActions() {
        let report = StateSpace.explore(
            from: Pair(),
            actions: [Reset(right: 5), Dial.Action.turned, Pair.Action.left],
            reducers: [],
            depth: 1,
            invariants: []
        )

        #expect(report.states == 2)
        #expect(report.transitions == 3)
    }
}

// MARK: - Broken invariants

extension StateSpaceTests {
    @Test("a broken invariant is recorded at the call, with the shortest list of actions, the change and the state")
    func broken() {
        var report: StateSpace.Report<Pair, Pair.Action>?

        let issues = recordedIssues {
            report = StateSpace.explore(
                from: Pair(),
                actions: [.right, .left],
                invariants: [
                    .init("the right is small") { $0.right < 9 },
                    .init("the left doesn't reach 2 before the right reaches 1") { $0.left < 2 || $0.right == 0 },
                ]
            )
        }
        let line = #_sourceLocation.line - 9

        #expect(
            issues.map(\.text) == [
                """
                The invariant "the left doesn't reach 2 before the right reaches 1" is broken after 3 actions:

                  1. .right
                  2. .left
                  3. .left

                What the last action changed (- before, + after):

                  Pair(
                -     left: 1
                +     left: 2
                      … (1 unchanged)
                  )

                The state:

                  Pair(left: 2, right: 1)

                9 states, 10 transitions, depth 3; ended by the broken invariant
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [line])
        #expect(report?.violation?.actions == [.right, .left, .left])
        #expect(report?.violation?.state == Pair(left: 2, right: 1))
        #expect(report?.cut == .violation)
    }

    @Test("an invariant that is broken at the start needs no action")
    func brokenStart() {
        let issues = recordedIssues {
            StateSpace.explore(from: Light(), actions: [.switched], invariants: [.init("it is on") { $0.isOn }])
        }

        #expect(
            issues.map(\.text) == [
                """
                The invariant "it is on" is broken at the start, in this state:

                  Light(isOn: false, isBroken: false)

                1 state, 0 transitions, depth 0; ended by the broken invariant
                """
            ]
        )
    }

    @Test("the failure of an invariant without a name shows none")
    func unnamed() {
        let issues = recordedIssues {
            StateSpace.explore(from: Light(), actions: [.broke]) { !$0.isBroken }
        }

        #expect(issues.count == 1)
        #expect(issues[0].text.hasPrefix("The invariant is broken after 1 action:\n\n  1. .broke\n\n"))
    }
}

// MARK: - States to explore

private struct Light: Relux.State, Hashable {
    enum Action: Relux.Action { case switched, broke }

    var isOn = false
    var isBroken = false

    mutating func reduce(_ action: Action) {
        switch action {
        case .switched: isOn = !isOn && !isBroken
        case .broke: (isOn, isBroken) = (false, true)
        }
    }
}

private struct Pair: Relux.State, Hashable {
    enum Action: Relux.Action { case left, right }

    var left = 0
    var right = 0

    var sum: Int { left + right }

    mutating func reduce(_ action: Action) {
        switch action {
        case .left: left = min(left + 1, 9)
        case .right: right = min(right + 1, 9)
        }
    }
}

private struct Reset: Relux.Action {
    let right: Int
}

private struct Dial: Relux.State {
    enum Action: Relux.Action { case turned }

    var position = 0

    mutating func reduce(_ action: Action) {
        position = (position + 1) % 5
    }
}
