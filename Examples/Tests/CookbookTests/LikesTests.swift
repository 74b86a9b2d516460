import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Likes", .timeLimit(.minutes(1)))
struct LikesTests {
    private struct Refused: Error {}

    private struct Refuser: LikesService {
        func setLiked(_ isLiked: Bool, post: String) async throws { throw Refused() }
    }

    @Test("the heart fills at once, and empties if the server refuses")
    func rollback() async throws {
        let store = try await TestStore { Likes.Module(service: Refuser()) }
        await store.expectFailure(Refused.self)

        await store.dispatch(Likes.Toggle(post: "a")) { (likes: inout Likes.State) in
            likes.likes["a"] = .init(confirmed: false, wanted: true)
        }
        await store.receive(Likes.State.Action.refused("a", true)) { (likes: inout Likes.State) in
            likes.likes["a"] = .init(confirmed: false, wanted: nil)
        }

        await store.finish()
    }

    /// Takes its time, and refuses a request now and then.
    private actor Server: LikesService {
        private let world: Simulation.World
        private let refusals: Double
        private(set) var isLiked = false

        init(_ world: Simulation.World, refusals: Double = 0) {
            self.world = world
            self.refusals = refusals
        }

        func setLiked(_ isLiked: Bool, post: String) async throws {
            try await world.latency(.zero ... .seconds(2))
            if world.fails(refusals) { throw Refused() }
            self.isLiked = isLiked
        }
    }

    @Test("the last tap counts, however fast the taps are", arguments: 1...4)
    func lastTap(taps: Int) async {
        await Simulation.explore(seeds: 0..<50) { world in
            let server = Server(world)
            let store = try await world.store { Likes.Module(service: server) }

            for _ in 0..<taps {
                await store.dispatch(Likes.Toggle(post: "a"))
                try await world.latency(.zero ... .seconds(1))
            }
            await world.settled()

            #expect(await server.isLiked == (taps % 2 == 1))
        }
    }

    @Test("in the end, the heart shows what the server has")
    func agreement() async {
        await Simulation.explore(seeds: 0..<100) { world in
            let server = Server(world, refusals: 0.3)
            let store = try await world.store { Likes.Module(service: server) }
            world.expectFailure(Refused.self)

            for _ in 0..<4 {
                await store.dispatch(Likes.Toggle(post: "a"))
                try await world.latency(.zero ... .seconds(1))
            }
            await world.settled()

            let like = try await store.state(of: Likes.State.self).likes["a"]
            #expect(like?.wanted == nil)
            #expect(await server.isLiked == like?.shown)
        }
    }
}
