import Relux
import ReluxTesting
import Testing

@Suite("Law 4: purity", .timeLimit(.minutes(10)))
struct Law04PurityTests {
    /// A state that depends on the order of its actions: no two of them commute.
    struct Mix: Relux.State {
        var number: UInt64 = 1
        var steps = 0

        enum Action: Relux.Action, Hashable {
            case add(UInt64), multiply(UInt64)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .add(let summand): number &+= summand
            case .multiply(let factor): number = number &* (factor | 1) ^ (number >> 7)
            }
            steps += 1
        }

        mutating func twist(_ action: Twist) { number ^= number << (action.shift % 63) }
    }

    struct Twist: Relux.Action, Hashable {
        var shift: UInt64
    }

    /// Reduces everything that happens to `Mix`.
    struct Echo: Relux.State {
        typealias Action = Twist

        var number: UInt64 = 0

        mutating func reduce(_ action: Twist) { number = number &* 31 &+ action.shift }

        mutating func hear(_ action: Mix.Action) {
            switch action {
            case .add(let heard): number = number &* 7 &+ heard
            case .multiply(let heard): number = number &* 5 &+ heard
            }
        }
    }

    private static let module = Part<TagA>(
        states: [Mix(), Echo()],
        reducers: [
            .init(of: Mix.self, on: Twist.self) { $0.twist($1) },
            .init(of: Echo.self, on: Mix.Action.self) { $0.hear($1) },
        ])

    struct Outcome: Equatable {
        var mix = Mix()
        var echo = Echo()
    }

    private static func actions(seed: UInt64, count: Int) -> [any Relux.Action] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let number = generator.next()
            switch number % 3 {
            case 0: return Mix.Action.add(number)
            case 1: return Mix.Action.multiply(number)
            default: return Twist(shift: number)
            }
        }
    }

    /// Applies the reducers to the actions, without any store.
    private static func reduced(_ actions: [any Relux.Action]) -> Outcome {
        var outcome = Outcome()
        for action in actions {
            switch action {
            case let action as Mix.Action:
                outcome.mix.reduce(action)
                outcome.echo.hear(action)
            case let twist as Twist:
                outcome.echo.reduce(twist)
                outcome.mix.twist(twist)
            default:
                break
            }
        }
        return outcome
    }

    private static func outcome(in store: Relux.Store) async -> Outcome? {
        await store.read { reader in
            guard let mix = reader[Mix.self], let echo = reader[Echo.self] else { return nil }
            return Outcome(mix: mix, echo: echo)
        }
    }

    /// How a list of actions is given to a store.
    enum SubmissionStyle: CaseIterable, Sendable {
        case oneByOne, sent, inABatch, inTwoBatches, asActions, afterAReset

        func submit(_ actions: [any Relux.Action], to store: Relux.Store) async {
            switch self {
            case .oneByOne: for action in actions { await store.dispatch(action) }
            case .sent: for action in actions { store.send(action) }
            case .inABatch: await store.dispatch { actions }
            case .inTwoBatches:
                let half = actions.count / 2
                await store.dispatch { Array(actions.prefix(half)) }
                await store.dispatch { Array(actions.dropFirst(half)) }
            case .asActions: await store.actions { actions }
            case .afterAReset:
                await store.dispatch { actions }
                await store.reset()
                await store.dispatch { actions }
            }
        }
    }

    @Test(
        "from the same start, the same actions give the same states, whichever way they are dispatched, after a reset, too",
        arguments: SubmissionStyle.allCases, [false, true])
    func sameActionsGiveSameStates(style: SubmissionStyle, isObserved: Bool) async throws {
        for seed in 0..<20 {
            let actions = Self.actions(seed: UInt64(seed), count: 100)
            let earlier = Self.actions(seed: UInt64(seed) + 100, count: 50)
            let start = Self.reduced(earlier)
            let observers = isObserved ? [HookObserver()] : []
            let store = try await Relux.Store(.init(states: [start.mix, start.echo], observers: observers)) {
                Self.module
            }

            await style.submit(actions, to: store)

            // A reset leads back to the initial states of the module.
            let all = style == .afterAReset ? actions : earlier + actions
            #expect(await Self.outcome(in: store) == Self.reduced(all))
        }
    }

    @Test(
        "the actions recorded under contention give the same states again, in another store and without one"
    )
    func recordsCanBeReplayed() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Self.module }
        let replayed = try await Relux.Store { Self.module }
        let styles = SubmissionStyle.allCases.filter { $0 != .afterAReset }

        await withTaskGroup { group in
            for seed in 0..<6 {
                group.addTask {
                    let actions = Self.actions(seed: UInt64(seed), count: 100)
                    await styles[seed % styles.count].submit(actions, to: store)
                }
            }
        }
        let outcome = await Self.outcome(in: store)
        let actions = observer.records.entries.map(\.action)
        for action in actions { await replayed.dispatch(action) }

        #expect(actions.count == 600)
        #expect(outcome == Self.reduced(actions))
        #expect(await Self.outcome(in: replayed) == outcome)
    }
}
