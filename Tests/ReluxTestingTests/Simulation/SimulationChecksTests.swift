import Relux
import ReluxTesting
import Testing

@Suite("Checks of a simulation")
struct SimulationChecksTests {
    // MARK: Several stores

    @Test("A store has one number, in the trace and in failures")
    func numbersOfStores() async {
        let gate = Gate()
        let atTheEnd = await failure { world in
            let own = try await Relux.Store(world.configuration()) { Street.Module() }
            let second = try await world.store { Street.Module() }
            world.finally("no houses", of: Street.State.self) { $0.houses.isEmpty }
            await second.dispatch(Street.State.Action(houses: [1]))
            await own.shutdown()
        }
        let busy = await failure { world in
            let own = try await Relux.Store(world.configuration()) { Street.Module() }
            let second = try await world.store { Finder.Module(service: GatedFinder(gate: gate)) }
            await second.dispatch(Finder.Find(query: "a"))
            await own.shutdown()
        }
        await gate.open()

        #expect(atTheEnd?.contains("doesn't hold at the end, in store 2.") == true)
        #expect(busy?.contains("Busy in store 2: Finder.Saga #1") == true)
    }
}

/// Returns the failure of a replay with seed 0, which must record exactly one issue.
private func failure(_ scenario: @escaping Simulation.Scenario) async -> String? {
    let outcome = Shared<Simulation.Outcome?>(nil)
    let issues = await recordedIssues {
        let replayed = await Simulation.replay(seed: 0, scenario)
        outcome.value = replayed
    }
    return issues.count == 1 ? outcome.value?.failure : nil
}

private enum Street {
    struct State: Relux.State {
        struct Action: Relux.Action { let houses: [Int] }

        var houses: [Int] = []

        mutating func reduce(_ action: Action) { houses = action.houses }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }
}
