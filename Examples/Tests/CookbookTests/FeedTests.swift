import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Feed", .timeLimit(.minutes(1)))
struct FeedTests {
    /// Five posts, in pages of two. A slow service answers in any order.
    private struct Server: FeedService {
        var world: Simulation.World?

        func page(from start: Int) async throws -> Feed.Page {
            try await world?.latency(.zero ... .seconds(2), heedsCancellation: false)
            let posts = (start..<min(start + 2, 5)).map { Feed.Post(id: $0, text: "Post \($0)") }
            return Feed.Page(posts: posts, next: start + 2 < 5 ? start + 2 : nil)
        }
    }

    private struct OfflineServer: FeedService {
        func page(from start: Int) async throws -> Feed.Page { throw FeedOffline() }
    }

    @Test("pages are appended until there are no more")
    func pages() async throws {
        let store = try await Relux.Store { Feed.Module(service: Server()) }

        for _ in 0..<5 { try await store.perform(Feed.Load.more) }

        let state = try await store.state(of: Feed.State.self)
        #expect(state.posts.map(\.id) == [0, 1, 2, 3, 4])
        #expect(state.next == nil)
        #expect(!state.isLoading)
    }

    @Test("a user who only scrolls gets every page, and no spinner that stays")
    func scrolling() async {
        // The plain order comes before the seeds.
        await Simulation.explore(seeds: 0...1_000) { world in
            let store = try await world.store { Feed.Module(service: Server(world: world)) }
            world.finally("nothing is loading", of: Feed.State.self) { !$0.isLoading }

            var feed = try await store.state(of: Feed.State.self)
            while feed.next != nil {
                await store.dispatch(Feed.Load.more)
                feed = try await store.wait(until: Feed.State.self) { !$0.isLoading }
            }

            #expect(feed.posts.map(\.id) == [0, 1, 2, 3, 4])
        }
    }

    @Test("pulls in the middle of loads show the first page, and nothing of the old loads")
    func refresh() async {
        await Simulation.explore(seeds: 0...1_000) { world in
            let store = try await world.store { Feed.Module(service: Server(world: world)) }
            world.always("no gaps", of: Feed.State.self) { $0.posts.map(\.id) == Array(0..<$0.posts.count) }
            world.finally("nothing is loading", of: Feed.State.self) { !$0.isLoading && !$0.posts.isEmpty }

            for load in [Feed.Load.more, .more, .refresh, .more, .refresh] {
                await store.dispatch(load)
                try await world.latency(.zero ... .seconds(3))
            }
        }
    }

    @Test("offline, the posts stay")
    func offline() async throws {
        let store = try await TestStore { Feed.Module(service: OfflineServer()) }

        await store.dispatch(Feed.Load.refresh)
        await store.receive(Feed.State.Action.began(.refresh)) { (feed: inout Feed.State) in feed.isLoading = true }
        await store.receive(Feed.State.Action.failed) { (feed: inout Feed.State) in
            feed.isLoading = false
            feed.hasFailed = true
        }

        await store.finish()
    }

    @Test("beyond the last page, nothing seems to load")
    func end() async throws {
        let store = try await Relux.Store(.init(states: [Feed.State(next: nil)])) { Feed.Module(service: Server()) }

        await store.dispatch(Feed.Load.more)
        let isLoading = try await store.state(of: Feed.State.self).isLoading
        try await store.idle()

        #expect(!isLoading)
    }
}
