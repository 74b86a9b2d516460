import Relux
import Testing

@testable import ReluxTesting

// Traps with "Recursive call to lock" if a value is released, or described, while what it uses is locked.
@Suite("What testing tools let go of may use them", .timeLimit(.minutes(10)))
struct ReleasedValuesTests {
    @Test("an action that a journal drops may record an issue, and write to the world's trace")
    func journal() async throws {
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<1) { world in
                let store = try await world.store { Taking() }
                await store.dispatch(
                    Take(
                        Releasing {
                            world.note("released"); Issue.record("released")
                        }))
                for _ in 0..<2_100 { await store.dispatch(Take(nil)); world.note("more") }
            }
        }

        #expect(issues.first?.text.contains("released") == true)
    }

    @Test("an invariant that ends with its seed may use the world")
    func invariants() async throws {
        await Simulation.explore(seeds: 0..<1) { world in
            let held = Releasing { world.note("released") }
            world.always("nothing", of: Taken.self) { _ in withExtendedLifetime(held) { true } }
            world.finally("nothing", of: Taken.self) { _ in withExtendedLifetime(held) { true } }
            let store = try await world.store { Taking() }
            await store.dispatch(Take(nil))
        }
    }

    @Test("the description of an error that nobody receives may use the world")
    func descriptions() async throws {
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<1) { world in
                let store = try await world.store { Taking() }
                await store.dispatch(Failing(world))
            }
        }

        #expect(issues.first?.text.contains("described") == true)
    }

    @Test("a ledger may be used while it lets go of states, and while an error is described")
    func ledger() async throws {
        let ledger = TestLedger()
        let store = try await Relux.Store(.init(observers: [ledger])) { Taking() }
        let uses = Lock(0)
        func releasing() -> Releasing {
            Releasing {
                uses.withLock { $0 += 1 }; ledger.expectRefusal(#_sourceLocation)
            }
        }

        for _ in 0..<3 { await store.dispatch(Take(releasing())) }
        _ = ledger.takeAll()
        let known = StateSnapshot()
        ledger.know(known)
        await store.reset()
        await store.unregister(Taking.self)
        try await store.register(Taking())
        let run = try #require(await failedRun())
        ledger.failureUnreceived(of: run, Described { ledger.expectRefusal(#_sourceLocation) })
        let id = ledger.add("a performance", misdirection: nil) { [held = releasing()] in
            withExtendedLifetime(held) { nil }
        }
        ledger.receive(performance: id)

        #expect(uses.withLock { $0 } == 4)
        #expect(ledger.takeOverlooked().count == 1)
    }

    @Test("a notebook may be used while it lets go of outcomes and outputs, and while an error is described")
    func notebook() async throws {
        let notebook = SagaNotebook(of: FailingSaga.self)
        let run = try #require(await failedRun())
        let uses = Lock(0)
        func described() -> Described {
            Described(Releasing { uses.withLock { $0 += 1 } }) { notebook.expectRefusal(#_sourceLocation) }
        }

        for _ in 0..<2 {
            notebook.failureUnreceived(of: run, described())
            notebook.runEnded(run, .failed(described()), lateError: nil)
            notebook.returned(
                Releasing {
                    uses.withLock { $0 += 1 }; notebook.expectRefusal(#_sourceLocation)
                })
        }
        _ = notebook.readOutcome()

        #expect(uses.withLock { $0 } >= 2)
        #expect(notebook.unreadErrors.isEmpty)
    }

    @Test("a script may be replaced by what it holds lets go of")
    func script() async throws {
        let script = Script<Take, Int> { _ in .value(0) }
        let first = Releasing { script.say { _ in .value(2) } }
        script.say { [first] _ in withExtendedLifetime(first) { .value(1) } }

        script.say { _ in .value(3) }

        #expect(try await script.output(for: Take(nil)) > 0)
    }

    /// The record of a run that has failed.
    private func failedRun() async throws -> Relux.RunRecord? {
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(observers: [recorder])) { Taking() }
        await store.dispatch(Failing(nil)).finished()
        return recorder.events.lazy.compactMap(\.runEnded).first
    }
}

/// An object that does something when it is released.
private final class Releasing: Sendable, Equatable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }

    static func == (lhs: Releasing, rhs: Releasing) -> Bool { lhs === rhs }
}

/// An error that does something when it is described.
private struct Described: Error, CustomStringConvertible {
    private let held: Releasing?
    private let action: @Sendable () -> Void

    init(_ held: Releasing? = nil, _ action: @escaping @Sendable () -> Void) {
        (self.held, self.action) = (held, action)
    }

    var description: String {
        action()
        return "described"
    }
}

private struct Take: Relux.Action {
    let value: Releasing?
    init(_ value: Releasing?) { self.value = value }
}

private struct Taken: Relux.State {
    var value: Releasing?
    mutating func reduce(_ action: Take) { value = action.value }
}

private struct Failing: Relux.Action {
    let world: Simulation.World?
    init(_ world: Simulation.World?) { self.world = world }
}

private struct FailingSaga: Relux.Saga {
    func run(_ action: Failing, in context: Relux.SagaContext) async throws {
        throw Described { action.world?.note("described") }
    }
}

private struct Taking: Relux.Module {
    var states: [any Relux.State] { [Taken()] }
    var sagas: [any Relux.Saga] { [FailingSaga()] }
}
