import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Checks of a simulation", .timeLimit(.minutes(10)))
struct SimulationChecksTests {
    // MARK: Instances

    @Test("an invariant of a state is checked in every instance, and its failure names the one that breaks it")
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

    @Test("an invariant of all states shows which instance each of them belongs to")
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

    @Test("an invariant at the end is checked in every instance, and an error names the one that it was thrown for")
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

    @Test("a condition is met by the state of any instance, and its failure shows those of all")
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

    // MARK: Changes without an action

    @Test("a condition that a reset or a new module makes true is met at once")
    func eventuallyWithoutAction() async {
        await Simulation.explore(seeds: 0..<50) { world in
            let store = try await world.store { Street.Module() }
            await store.dispatch(Street.State.Action(houses: [1]))
            world.task {
                try await world.clock.sleep(for: .seconds(1))
                await store.reset()
                try await world.clock.sleep(for: .seconds(1))
                try await store.register(Room.Module(id: "office", guests: 7))
            }

            await world.eventually("the houses are gone", of: Street.State.self, within: .seconds(9)) {
                $0.houses.isEmpty
            }
            #expect(world.clock.now.offset == .seconds(1))
            await world.eventually("the office is full", of: Room.State.self, within: .seconds(9)) { $0.guests == 7 }
            #expect(world.clock.now.offset == .seconds(2))
        }
    }

    @Test("a condition is checked once more when its time is over")
    func deadline() async {
        await Simulation.explore(seeds: 0..<20) { world in
            let isOpen = Shared(false)
            _ = try await world.store { Street.Module() }
            world.task {
                try await world.clock.sleep(for: .seconds(1))
                isOpen.value = true
            }

            let holds = await world.eventually("it is open", of: Street.State.self, within: .seconds(2)) { _ in
                isOpen.value
            }
            #expect(holds)
            #expect(world.clock.now.offset == .seconds(2))
        }
    }

    @Test("a failed condition shows the states that it was last checked against")
    func statesAtDeadline() async {
        let report = await Simulation.search(seeds: 0..<50, timePassesEarly: false) { world in
            let store = try await world.store { Room.Module(id: "office") }
            world.task {
                try await world.clock.sleep(for: .seconds(1))
                await store.scope(of: Room.Module.self, id: "office").dispatch(Room.State.Action.entered)
            }
            await world.eventually("somebody comes", of: Room.State.self, within: .seconds(1)) { $0.guests > 0 }
        }

        #expect(report.failure?.failure?.contains("Room.State(guests: 1)") == false)
    }

    // MARK: Checks of nothing

    @Test("a check of a state that no run has had is reported, unless something else fails")
    func neverChecked() async {
        let line = #line + 5
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<20) { world in
                let store = try await world.store { Street.Module() }
                // A street without houses.
                world.always("a room is never full", of: Room.State.self) { $0.guests < 2 }
                world.always("no houses", of: Street.State.self) { $0.houses.isEmpty }
                world.finally("no house has a room", of: House.State.self) { $0.rooms.isEmpty }
                await store.dispatch(Street.State.Action(houses: []))
            }
        }
        let failing = await recordedIssues {
            await Simulation.explore(seeds: 0..<20) { world in
                world.always("a room is never full", of: Room.State.self) { $0.guests < 2 }
                throw Crowded()
            }
        }

        #expect(
            issues.map(\.text) == [
                """
                “a room is never full” (\(file):\(line)) was never checked, because no run had a Room.State.
                """
            ]
        )
        #expect(failing.count == 1)
    }

    @Test("a check of a state that one run has had is not reported")
    func checkedOnce() async {
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<20) { world in
                let store = try await world.store { Street.Module() }
                world.always("a room is never full", of: Room.State.self) { $0.guests < 2 }
                if world.seed == 7 { await store.dispatch(Street.State.Action(houses: [1])) }
            }
        }

        #expect(issues.isEmpty)
    }

    // MARK: Several stores

    @Test("a store has one number, in the trace and in failures")
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
        gate.open()

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
