import Foundation
import Relux
import ReluxTesting
import Synchronization
import Testing

@Suite("expectPure", .timeLimit(.minutes(10)))
struct ExpectPureTests {
    @Test("a pure reducer records nothing, for given and for generated actions")
    func pure() {
        var generated: [Sum.Action] = []

        let issues = recordedIssues {
            expectPure(from: Sum(), actions: [.added(1), .added(2)])
            expectPure(from: Sum(), count: 50) { state, generator in
                generated.append(.added(Int.random(in: 0...9, using: &generator)))
                return generated[generated.count - 1]
            }
        }

        #expect(issues.isEmpty)
        #expect(generated.count == 50)
        #expect(Set(generated).count == 10)
    }

    @Test("a dependence on the order of a set is found every time, with five actions", arguments: 0..<100)
    func hashOrder(attempt: Int) {
        let issues = recordedIssues {
            expectPure(from: Crowd(), actions: ["a", "b", "c", "d"].map { .joined($0) } + [.picked])
        }

        #expect(issues.count == 1)
    }

    @Test("a dependence on the order of a set that the start contains is found every time", arguments: 0..<100)
    func givenOrder(attempt: Int) {
        let issues = recordedIssues {
            expectPure(from: Crowd(names: ["a", "b", "c", "d"]), actions: [.picked])
            expectPure(from: Crowd(names: ["a", "b", "c", "d"]), count: 5) { _, _ in .picked }
        }

        #expect(issues.count == 2)
        #expect(issues.allSatisfy { $0.text.contains("reduced again after the same actions as before") })
    }

    @Test("a dependence on the order of a set that an action contains is found every time", arguments: 0..<100)
    func givenOrderOfAnAction(attempt: Int) {
        let issues = recordedIssues {
            expectPure(from: Crowd(), actions: [.picked, .arrived(["a", "b", "c", "d"])])
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Action 2, .arrived") == true)
    }

    @Test("a start and actions that are never equal are made again in vain, and the first ones are used")
    func unequalStarts() {
        var count = 0
        func next() -> Int {
            count += 1
            return count
        }

        let issues = recordedIssues {
            expectPure(from: Sum(total: next()), actions: [.added(next()), .added(1)])
        }

        #expect(issues.isEmpty)
        #expect(count > 4)
    }

    @Test("what making the start throws is thrown")
    func throwingStart() {
        func start() throws -> Sum { throw Trouble.Failure() }

        #expect(throws: Trouble.Failure.self) { try expectPure(from: start(), actions: [.drawn]) }
    }

    @Test("the same seed generates the same actions")
    func seeds() {
        let actions = { (seed: UInt64) -> [Sum.Action] in
            var actions: [Sum.Action] = []
            expectPure(from: Sum(), count: 20, seed: seed) { _, generator in
                actions.append(.added(Int.random(in: 0...99, using: &generator)))
                return actions[actions.count - 1]
            }
            return actions
        }

        #expect(actions(1) == actions(1))
        #expect(actions(1) != actions(2))
    }

    @Test("a dependence on the local day is found if the time zone is to change, which is then the usual one again")
    func day() {
        let usual = NSTimeZone.default
        var results: [Bool] = []

        let issues = recordedIssues {
            results.append(expectPure(from: Diary(), actions: [.opened], changingTimeZone: true))
            results.append(
                expectPure(from: Diary(), count: 2, changingTimeZone: true) { _, _ in .opened }
            )
        }

        #expect(results == [false, false])
        #expect(issues.allSatisfy { $0.text.contains("reduced again after the same actions as before") })
        #expect(NSTimeZone.default == usual)
        #expect(expectPure(from: Sum(), actions: [.added(1)], changingTimeZone: true))
    }

    @Test("a reducer that counts its calls is found at the first difference and recorded at the call")
    func impure() {
        var calls = 0

        let issues = recordedIssues {
            expectPure(from: Sum(), actions: [Sum.Action.added(1), .drawn, .added(2)]) { state, action in
                calls += 1
                if case .drawn = action { state.total += calls }
            }
        }
        let line = #_sourceLocation.line - 5

        #expect(
            issues.map(\.text) == [
                """
                The reducer isn't pure. Action 2, .drawn, reduced twice from equal states, gave different ones \
                (- first, + second):

                  Sum(
                -     total: 3
                +     total: 4
                  )
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [line])
    }

    @Test("a reducer that depends on earlier reductions is found when all actions are reduced again")
    func unrepeatable() {
        var calls = 0

        let issues = recordedIssues {
            expectPure(from: Sum(), actions: [Sum.Action.drawn]) { state, _ in
                calls += 1
                state.total = calls > 2 ? 7 : 1
            }
        }

        #expect(
            issues.map(\.text) == [
                """
                The reducer isn't pure. Action 1, .drawn, reduced again after the same actions as before, gave another \
                state (- first, + second):

                  Sum(
                -     total: 1
                +     total: 7
                  )
                """
            ]
        )
    }

    @Test("with generated actions, the issue names the seed")
    func namesTheSeed() {
        let issues = recordedIssues {
            expectPure(from: Dice(), seed: 3) { _, _ in .thrown }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.hasPrefix("The reducer isn't pure. Action 1, .thrown, reduced twice") == true)
        #expect(issues.first?.text.hasSuffix("\n\nSeed: 3") == true)
    }

    @Test("without actions, nothing is checked, which fails")
    func noActions() {
        var results: [Bool] = []

        let issues = recordedIssues {
            results.append(expectPure(from: Sum(), actions: []))
            results.append(expectPure(from: Sum(), count: 0) { _, _ in .added(1) })
        }

        #expect(results == [false, false])
        #expect(issues.count == 2)
        #expect(issues.allSatisfy { $0.text.hasPrefix("There are no actions, so nothing was checked.") })
    }

    @Test("it returns whether the reducer was pure")
    func result() {
        var results: [Bool] = []

        _ = recordedIssues {
            results.append(expectPure(from: Sum(), actions: [.added(1)]))
            results.append(expectPure(from: Dice(), actions: [.thrown]))
        }

        #expect(results == [true, false])
    }
}

private struct Sum: Relux.State {
    enum Action: Relux.Action, Hashable { case added(Int), drawn }

    var total = 0

    mutating func reduce(_ action: Action) {
        if case .added(let number) = action { total += number }
    }
}

/// Breaks the purity law on purpose: it notes the day.
private struct Diary: Relux.State {
    enum Action: Relux.Action, Hashable { case opened }

    var day: Date?

    mutating func reduce(_ action: Action) {
        day = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1_000_000_000))
    }
}

/// Breaks the purity law on purpose: the face depends on how often any dice has been thrown.
private struct Dice: Relux.State {
    enum Action: Relux.Action { case thrown }

    private static let throwsSoFar = Atomic(0)

    var face = 0

    mutating func reduce(_ action: Action) {
        face = Self.throwsSoFar.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

/// Depends on the order of a set that it builds or is given.
private struct Crowd: Relux.State {
    enum Action: Relux.Action, Hashable { case joined(String), arrived(Set<String>), picked }

    var names: Set<String> = []
    var first: String?

    mutating func reduce(_ action: Action) {
        switch action {
        case .joined(let name): names.insert(name)
        case .arrived(let names): first = names.first
        case .picked: first = names.first
        }
    }
}
