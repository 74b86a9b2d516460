import Relux
import ReluxTesting
import Testing

@Suite("Simulation: settled worlds", .timeLimit(.minutes(10)))
struct SimulationSettledTests {
    @Test("a settled world has updated its view states, and has reduced what the screens did then")
    func viewStates() async {
        let report = await Simulation.explore(seeds: 0..<200) { world in
            let store = try await world.store { Tray.Module() }
            let view = try await world.onMainActor { try store.viewState(of: Tray.State.self) }
            let updates = Shared<[Tray.State]>([])
            let dispatcher = store.dispatcher
            try await world.onMainActor {
                view.didChange = { _ in
                    updates.value.append(view.value)
                    if view.value.items == [1], !view.value.isOpen { dispatcher.send(Tray.State.Action.opened) }
                }
            }

            store.send(Tray.State.Action.loaded(1))
            await world.settled()

            // Nothing is pending: neither the update nor what it has led to.
            #expect(updates.value.last == Tray.State(items: [1], isOpen: true))
            #expect(try await store.state(of: Tray.State.self).isOpen)
        }

        #expect(report.failure == nil, "\(report)")
    }
}
