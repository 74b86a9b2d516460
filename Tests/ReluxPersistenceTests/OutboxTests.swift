import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import TestFixtures
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

    private static let lives = 5

    @Test("after crashes at any point, nothing acknowledged is lost, nothing is there twice, and no state is torn")
    func crashes() async throws {
        // Each of them crashes four times.
        let report = await Simulation.explore(seeds: seeds(500, or: "RELUX_CRASHING_PROGRAMS")) { world in
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
                        guard
                            await store.dispatch(Outbox.State.Action.write(Outbox.Message(text: text))).sequence != nil
                        else { break }
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
            if texts != texts.sorted() { Issue.record("out of order: \(texts)") }
        }

        #expect(report.failure == nil, "\(report)")
    }

    @Test("a message after a reset, or from another device, is a new one")
    func newMessages() async throws {
        actor Recorder: ChatServer {
            private(set) var ids: Set<UUID> = []
            func post(_ message: Outbox.Message) async throws { ids.insert(message.id) }
        }
        let server = Recorder()

        for _ in 0..<2 {
            let device = try await Relux.Store { Outbox.Module(storage: Relux.MemoryStorage(), server: server) }
            for _ in 0..<2 {
                await device.dispatch(Outbox.State.Action.write(Outbox.Message(text: "Hello")))
                _ = try await device.wait(until: Outbox.State.self) { $0.waiting.isEmpty }
                await device.reset()
            }
            await device.shutdown()
        }

        #expect(await server.ids.count == 4)
    }
}
