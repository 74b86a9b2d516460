import Relux
import ReluxTesting
import Testing

@Suite("Commands of a simulation", .timeLimit(.minutes(10)))
struct SimulationCommandsTests {
    @Test("a store that does what the model says passes")
    func agreement() async {
        let lengths = Log<Int>()
        let report = await Simulation.explore(seeds: 0..<100) { world in
            try await Self.run(in: world, forgets: false) { lengths.add($0) }
        }

        #expect(report.passed == 100)
        #expect(lengths.entries.first == 0)
        #expect(lengths.entries.contains { $0 > 10 })
    }

    @Test("a disagreement is shrunk to the shortest sequence of commands, and shows both sides")
    func disagreement() async {
        let report = await Simulation.search(seeds: 0..<200) { world in
            try await Self.run(in: world, forgets: true) { _ in }
        }

        let text = report.failure?.failure ?? ""
        // The third value is forgotten as soon as there has been a removal.
        #expect(text.hasPrefix("The model and the store disagree (ReluxTestingTests/SimulationCommandsTests.swift:"))
        #expect(text.contains("after 5 commands:"))
        #expect(text.contains("5. .push("))
        #expect(text.contains("The model:"))
        #expect(text.contains("Stack.State(forgets: true, values: ["))
        #expect(report.failure?.trace.contains { $0.contains("command: .pop") } == true)
    }

    @Test("commands that no seed has any of are reported")
    func noCommands() async {
        let line = #line + 4
        let issues = await recordedIssues {
            await Simulation.explore(seeds: 0..<20) { world in
                let store = try await world.store { Stack.Module(forgets: false) }
                try await world.commands(against: store, of: Stack.State.self, model: 0) { _, _ in
                    nil as Stack.State.Action?
                } run: { _, _ in
                } update: { _, _ in
                } agree: { _, _ in
                    true
                }
            }
        }

        #expect(
            issues.map(\.text) == [
                """
                The commands at ReluxTestingTests/SimulationCommandsTests.swift:\(line) were never run: \
                `next` returned no command in any seed.
                """
            ]
        )
    }

    private static func run(
        in world: Simulation.World, forgets: Bool, _ note: @Sendable (Int) -> Void
    ) async throws {
        let store = try await world.store { Stack.Module(forgets: forgets) }
        let model = try await world.commands(20, against: store, of: Stack.State.self, model: [Int]()) {
            model, random in
            model.isEmpty || random.next() % 3 > 0 ? .push(Int.random(in: 0...99, using: &random)) : .pop
        } run: { (command: Stack.State.Action, store) in
            await store.dispatch(command)
        } update: { model, command in
            switch command {
            case .push(let value): model.append(value)
            case .pop: _ = model.popLast()
            }
        } agree: { model, state in
            state.values == model
        }
        note(model.count)
    }
}

private enum Stack {
    struct State: Relux.State {
        enum Action: Relux.Action, Hashable { case push(Int), pop }

        let forgets: Bool
        var values: [Int] = []
        var hasRemoved = false

        mutating func reduce(_ action: Action) {
            switch action {
            case .push(let value):
                if !(forgets && hasRemoved && values.count == 2) { values.append(value) }
            case .pop:
                _ = values.popLast()
                hasRemoved = true
            }
        }
    }

    struct Module: Relux.Module {
        let forgets: Bool

        var states: [any Relux.State] { [State(forgets: forgets)] }
    }
}
