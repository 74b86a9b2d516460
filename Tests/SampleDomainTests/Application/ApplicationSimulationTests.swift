import Relux
import ReluxTesting
import SampleServices
import TestFixtures
import Testing

@testable import SampleDomain

/// Several programs on one list, and power cuts: the promises are the library's, and this shows that the sample uses
/// them rightly.
@Suite(.timeLimit(.minutes(10))) struct ApplicationSimulationTests {
    @Test func `whatever programs do at once and whenever they crash, what was acknowledged is there`() async {
        await Simulation.explore(seeds: seeds(200)) { world in
            let storage = world.storage(latency: .zero ... .milliseconds(5))
            let acknowledged = Lock<Set<Item.ID>>([])

            for life in 0..<3 {
                let stores = [
                    try await world.store { Items.Module(of: .guest, in: storage) },
                    try await world.store { Items.Module(of: .guest, in: storage) },
                ]
                for (program, store) in stores.enumerated() {
                    world.task("program \(life).\(program)") {
                        for number in 0..<3 {
                            try? await world.latency(.zero ... .milliseconds(40))
                            let item = Item.sample(100 * life + 10 * program + number)
                            await store.dispatch(Items.List.Action.added(item, world.fails(0.5) ? .top : .end))
                            if (try? await store.saved()) == nil { break }
                            _ = acknowledged.withLock { $0.insert(item.id) }
                        }
                    }
                }
                world.expectRefusal()
                try await world.latency(.zero ... .milliseconds(150))
                if life < 2 { for store in stores { await world.crash(store) } }
                await world.settled()
            }

            let last = try await world.store { Items.Module(of: .guest, in: storage) }
            let ids = try await last.state(of: Items.State.self).present.items.ids
            let lost = acknowledged.withLock { $0.subtracting(ids) }
            #expect(lost.isEmpty)
            #expect(Set(ids).count == ids.count)
        }
    }
}
