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

    @Test("a world is settled when its watchers have done what they were told")
    func watchers() async {
        let report = await Simulation.explore(seeds: 0..<200) { world in
            let store = try await world.store { Tray.Module(watchers: [Reloader()]) }
            world.finally("it is loaded", of: Tray.State.self) { !$0.isLoading && $0.items == [1] }
            await store.dispatch(Tray.Answer(item: 1))
        }

        #expect(report.failure == nil, "\(report)")
    }
}

/// Loads what is answered.
private struct Reloader: Relux.Watcher {
    var listens: [any Relux.Action.Type] { [Tray.Answer.self] }

    func watch(in context: Relux.SagaContext) async throws {
        for await answer in context.actionStream(of: Tray.Answer.self) {
            try await context.perform(Tray.Load(item: answer.item))
        }
    }
}
