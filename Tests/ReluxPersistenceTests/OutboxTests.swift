import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import Testing

@Suite("An outbox", .timeLimit(.minutes(30)))
struct OutboxTests {
    /// A server that recognises a message by its id, and sometimes answers although its answer gets lost.
    private final class Server: ChatServer {
        private struct Offline: Error {}

        private let world: Simulation.World
        private let posts = Lock<[Outbox.Message]>([])

        init(_ world: Simulation.World) {
            self.world = world
        }

        var received: [Outbox.Message] { posts.withLock { $0 } }

        func post(_ message: Outbox.Message) async throws {
            try await world.latency(.zero ... .milliseconds(20))
            if world.fails(0.1) { throw Offline() }
            let isOther = posts.withLock { posts in
                guard let known = posts.first(where: { $0.id == message.id }) else {
                    posts.append(message)
                    return false
                }
                return known != message
            }
            if isOther { Issue.record("the id \(message.id) was used twice") }
            try await world.latency(.zero ... .milliseconds(20))
            if world.fails(0.1) { throw Offline() }
        }
    }

    /// How many crashes are simulated: few by default, and as many as `RELUX_CRASHES` says.
    private static let crashes = ProcessInfo.processInfo.environment["RELUX_CRASHES"].flatMap(Int.init) ?? 2000
    private static let lives = 5

    @Test("after crashes at any point, nothing acknowledged is lost, nothing is there twice, and no state is torn")
    func crashes() async throws {
        let seeds = UInt64(Self.crashes / (Self.lives - 1))

        let report = await Simulation.explore(seeds: 0..<seeds) { world in
            let storage = world.storage(latency: .zero ... .milliseconds(5))
            let server = Server(world)
            var acknowledged: [String] = []
            for life in 0..<Self.lives {
                let isLast = life == Self.lives - 1
                let store = try await world.store { Outbox.Module(storage: storage, server: server) }
                let writer = Task(executorPreference: world.executor) {
                    var saved: [String] = []
                    for number in 0..<3 {
                        let text = "\(life).\(number)"
                        try? await world.latency(.zero ... .milliseconds(30))
                        guard await store.dispatch(Outbox.State.Action.write(text)).sequence != nil else { break }
                        if (try? await store.saved()) == nil { break }
                        saved.append(text)
                    }
                    return saved
                }
                if isLast {
                    acknowledged += await writer.value
                    _ = try await store.wait(until: Outbox.State.self) { $0.waiting.isEmpty }
                    try await store.saved()
                } else {
                    try await world.latency(.zero ... .milliseconds(100))
                    await world.crash(store)
                    acknowledged += await writer.value
                }
            }

            let texts = server.received.map(\.text)
            for text in acknowledged where !texts.contains(text) { Issue.record("\(text) is lost") }
            if Set(texts).count != texts.count { Issue.record("sent twice: \(texts)") }
            let ids = server.received.map(\.id)
            if ids != ids.sorted() { Issue.record("out of order: \(ids)") }
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test("an outbox that sends before it has saved is found out by the same simulation")
    func carelessOutbox() async throws {
        struct Careless: Relux.Watcher {
            let server: any ChatServer

            func watch(in context: Relux.SagaContext) async throws {
                for await message in context.values(of: Outbox.State.self, { $0.waiting.first }) {
                    guard let message else { continue }
                    try? await server.post(message)
                    await context.dispatch(Outbox.State.Action.sent(message.id))
                }
            }
        }
        struct Module: Relux.Module {
            let storage: any Storage
            let server: any ChatServer
            var states: [any Relux.State] { [Outbox.State()] }
            var watchers: [any Relux.Watcher] { [Careless(server: server)] }
            var persistence: [any Relux.StatePersistence] {
                [Saved(Outbox.State.self, as: "outbox", in: storage)]
            }
        }
        let isFound = Lock(false)

        _ = await Simulation.explore(seeds: 0..<50) { world in
            let storage = world.storage()
            let texts = Lock<[Outbox.Message]>([])
            struct Recorder: ChatServer {
                let note: @Sendable (Outbox.Message) -> Void
                func post(_ message: Outbox.Message) async throws { note(message) }
            }
            let server = Recorder { message in texts.withLock { $0.append(message) } }
            for life in 0..<3 {
                let store = try await world.store { Module(storage: storage, server: server) }
                await store.dispatch(Outbox.State.Action.write("\(life)"))
                try await world.latency(.zero ... .milliseconds(20))
                await world.crash(store)
            }
            let ids = texts.withLock { $0.map(\.id) }
            if Set(ids).count != ids.count { isFound.withLock { $0 = true } }
        }

        #expect(isFound.withLock { $0 })
    }
}
