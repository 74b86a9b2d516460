import Relux
import ReluxTesting
import Testing

@Suite("Checks of a simulation")
struct SimulationChecksTests {
    // MARK: Instances

    @Test("An invariant of a state is checked in every instance, and its failure names the one that breaks it")
    func alwaysInInstances() async {
        let line = #line + 5
        let text = await failure { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1, 2]))
            world.always("a room is never full", of: Room.State.self) { $0.guests < 2 }
            for _ in 0..<2 { await store.hall(of: 2).dispatch(Room.State.Action.entered) }
        }

        #expect(
            text == """
                “a room is never full” (\(file):\(line - 1)) doesn't hold after #3, Room.State.Action.entered \
                (\(file):\(line)).

                    House.Module[2]/Room.Module["hall"]: Room.State(guests: 2)
                """
        )
    }

    @Test("An invariant of all states shows which instance each of them belongs to")
    func allStates() async {
        let line = #line + 4
        let text = await failure { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1]))
            world.always("nothing is allowed") { _ in false }
            await store.hall(of: 1).dispatch(Room.State.Action.entered)
        }

        #expect(
            text == """
                “nothing is allowed” (\(file):\(line)) doesn't hold after #2, Room.State.Action.entered \
                (\(file):\(line + 1)).

                    Street.State(houses: [1])
                    House.Module[1]: House.State(rooms: ["hall"])
                    House.Module[1]/Room.Module["hall"]: Room.State(guests: 1)
                """
        )
    }

    @Test("An invariant at the end is checked in every instance, and an error names the one that it was thrown for")
    func finallyInInstances() async {
        let line = #line + 4
        let broken = await failure { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1, 2]))
            world.finally("nobody stays", of: Room.State.self) { $0.guests == 0 }
            await store.hall(of: 2).dispatch(Room.State.Action.entered)
        }
        let throwing = await failure { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1, 2]))
            world.finally("nobody stays", of: Room.State.self) { room in
                if room.guests > 0 { throw Crowded() }
                return true
            }
            await store.hall(of: 2).dispatch(Room.State.Action.entered)
        }

        #expect(
            broken == """
                “nobody stays” (\(file):\(line)) doesn't hold at the end.

                    House.Module[2]/Room.Module["hall"]: Room.State(guests: 1)
                """
        )
        #expect(
            throwing == """
                “nobody stays” (\(file):\(line + 6)) can't be checked at the end: Crowded()

                    House.Module[2]/Room.Module["hall"]: Room.State(guests: 1)
                """
        )
    }

    @Test("A condition is met by the state of any instance, and its failure shows those of all")
    func eventuallyInInstances() async {
        let holds = Shared(false)
        let line = #line + 8
        let text = await failure { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1, 2]))
            world.task { await store.hall(of: 2).dispatch(Room.State.Action.entered) }
            holds.value = await world.eventually("somebody comes", of: Room.State.self, within: .seconds(1)) {
                $0.guests == 1
            }
            await world.eventually("a crowd comes", of: Room.State.self, within: .seconds(1)) { $0.guests > 9 }
        }

        #expect(holds.value)
        #expect(
            text == """
                “a crowd comes” (\(file):\(line)) didn't hold within 1 s.

                    House.Module[1]/Room.Module["hall"]: Room.State(guests: 0)
                    House.Module[2]/Room.Module["hall"]: Room.State(guests: 1)
                """
        )
    }

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

private let file = "ReluxTestingTests/SimulationChecksTests.swift"

/// Returns the failure of a replay with seed 0, which must record exactly one issue.
private func failure(_ scenario: @escaping Simulation.Scenario) async -> String? {
    let outcome = Shared<Simulation.Outcome?>(nil)
    let issues = await recordedIssues {
        let replayed = await Simulation.replay(seed: 0, scenario)
        outcome.value = replayed
    }
    return issues.count == 1 ? outcome.value?.failure : nil
}

private struct Crowded: Error {}

/// Has houses, which have rooms.
private enum Street {
    struct State: Relux.State {
        struct Action: Relux.Action { let houses: [Int] }

        var houses: [Int] = []

        mutating func reduce(_ action: Action) { houses = action.houses }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.each(of: State.self, \.houses) { id, _ in House.Module(id: id) }] }
    }
}

private enum House {
    struct State: Relux.State {
        typealias Action = Never

        var rooms = ["hall"]
    }

    struct Module: Relux.Module, Identifiable {
        let id: Int

        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.each(of: State.self, \.rooms) { id, _ in Room.Module(id: id) }] }
    }
}

private enum Room {
    struct State: Relux.State {
        enum Action: Relux.Action { case entered }

        var guests = 0

        mutating func reduce(_ action: Action) { guests += 1 }
    }

    struct Module: Relux.Module, Identifiable {
        let id: String
        var guests = 0

        var states: [any Relux.State] { [State(guests: guests)] }
    }
}

extension Relux.Store {
    /// The hall of a house.
    fileprivate func hall(of house: Int) -> Relux.Scope {
        scope(of: House.Module.self, id: house).scope(of: Room.Module.self, id: "hall")
    }
}
