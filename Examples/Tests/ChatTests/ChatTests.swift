import Relux
import ReluxTesting
import Testing

@testable import Chat

@Suite("Chat", .timeLimit(.minutes(1)))
struct ChatTests {
    private struct Offline: Error {}

    /// A server that a test controls: what it sends, and whether it can be reached.
    private actor Server: ChatService {
        private var isOnline = true
        private var refused: Set<Int> = []
        private var connections: [String: AsyncStream<String>.Continuation] = [:]
        private(set) var delivered: [Int] = []

        func goOffline() {
            isOnline = false
            for connection in connections.values { connection.finish() }
        }

        func goOnline() { isOnline = true }

        /// Refuses the messages with these ids, and no others.
        func refuse(_ ids: Set<Int>) { refused = ids }

        func say(_ text: String, in chat: String) { connections[chat]?.yield(text) }

        func deliver(_ message: Chat.Message, to chat: String) throws {
            if !isOnline { throw Offline() }
            if refused.contains(message.id) { throw MessageRefused() }
            delivered.append(message.id)
        }

        func texts(of chat: String) throws -> AsyncStream<String> {
            if !isOnline { throw Offline() }
            let (texts, continuation) = AsyncStream.makeStream(of: String.self)
            connections[chat] = continuation
            return texts
        }
    }

    @Test("two open chats don't hear each other, and the inbox hears both")
    func instances() async throws {
        let server = Server()
        let store = try await TestStore { Inbox.Module(service: server) }
        let ann = store.scope(of: Chat.Module.self, id: "ann")
        let bob = store.scope(of: Chat.Module.self, id: "bob")

        for (chat, open) in [(ann, ["ann"]), (bob, ["ann", "bob"])] {
            await store.dispatch(.open(open.last ?? ""), to: Inbox.State.self) { $0.open = open }
            await chat.receive(Chat.State.Action.connected) { (chat: inout Chat.State) in chat.isConnected = true }
        }
        await server.say("Hello", in: "ann")
        await ann.receive(Chat.State.Action.received("Hello")) { (chat: inout Chat.State) in
            chat.messages = ["Hello"]
        } _: { (inbox: inout Inbox.State) in
            inbox.unread = ["ann": 1]
        }
        await bob.dispatch(Chat.Send(message: .init(id: 1, text: "Hi"))) { (chat: inout Chat.State) in
            chat.outbox[id: 1] = .init(id: 1, text: "Hi")
        }
        await bob.receive(Chat.State.Action.delivered(.init(id: 1, text: "Hi"))) { (chat: inout Chat.State) in
            chat.outbox = .init()
            chat.messages = ["Hi"]
        }
        await store.dispatch(.close("bob"), to: Inbox.State.self) { $0.open = ["ann"] }

        await store.finish()
    }

    @Test("offline, messages wait in the outbox, and are delivered in order when the server is back")
    func outbox() async throws {
        let server = Server()
        let store = try await TestStore(exhaustivity: .off) { Chat.Module(id: "ann", service: server) }
        let chat = store.scope(of: Chat.Module.self, id: "ann")
        let messages = [Chat.Message(id: 1, text: "One"), Chat.Message(id: 2, text: "Two")]

        await server.goOffline()
        for message in messages { await chat.dispatch(Chat.Send(message: message)) }
        await store.advance(by: .seconds(5))
        await chat.dispatch(Chat.State.Action.received("Still there?")) { (chat: inout Chat.State) in
            #expect(Array(chat.outbox) == messages)
            chat.isConnected = false
        }
        await server.goOnline()
        await store.advance(by: .seconds(30))
        await chat.receive(Chat.State.Action.delivered(messages[1])) { (chat: inout Chat.State) in
            chat.outbox = .init()
            chat.isConnected = true
        }

        await store.finish()
        #expect(await server.delivered == [1, 2])
    }

    @Test("a message that the server refuses holds up no other one, and can be sent again")
    func refusal() async throws {
        let server = Server()
        let store = try await TestStore(exhaustivity: .off) { Chat.Module(id: "ann", service: server) }
        let chat = store.scope(of: Chat.Module.self, id: "ann")
        let message = Chat.Message(id: 1, text: "One")
        let other = Chat.Message(id: 2, text: "Two")

        await server.refuse([1])
        await chat.dispatch(Chat.Send(message: message))
        await chat.receive(Chat.State.Action.refused(message)) { (chat: inout Chat.State) in
            chat.outbox = .init()
            chat.refused[id: 1] = message
        }
        await chat.dispatch(Chat.Send(message: other))
        await chat.receive(Chat.State.Action.delivered(other))
        await server.refuse([])
        await chat.dispatch(Chat.Send(message: message)) { (chat: inout Chat.State) in
            chat.outbox[id: 1] = message
            chat.refused = .init()
        }
        await chat.receive(Chat.State.Action.delivered(message)) { (chat: inout Chat.State) in
            chat.outbox = .init()
            chat.messages = ["Two", "One"]
        }

        await store.finish()
        #expect(await server.delivered == [2, 1])
    }

    @Test("messages arrive in the order in which they were written, however often the server fails")
    func order() async {
        actor Server: ChatService {
            let world: Simulation.World
            private(set) var delivered: [Int] = []

            init(_ world: Simulation.World) { self.world = world }

            func deliver(_ message: Chat.Message, to chat: String) async throws {
                try await world.latency(.zero ... .seconds(3))
                if world.fails(0.3) { throw Offline() }
                delivered.append(message.id)
            }

            func texts(of chat: String) async throws -> AsyncStream<String> { .makeStream().stream }
        }

        await Simulation.explore(seeds: 0..<100) { world in
            let server = Server(world)
            let store = try await world.store { Chat.Module(id: "ann", service: server) }
            let chat = store.scope(of: Chat.Module.self, id: "ann")

            for id in 1...3 { await chat.dispatch(Chat.Send(message: .init(id: id, text: "\(id)"))) }
            await world.settled()

            #expect(await server.delivered == [1, 2, 3])
        }
    }

    @Test("a chat that is closed writes nothing any more, whatever its server does")
    func closing() async {
        struct SlowServer: ChatService {
            let world: Simulation.World

            func deliver(_ message: Chat.Message, to chat: String) async throws {
                try await world.latency(.zero ... .seconds(3), heedsCancellation: false)
                if world.fails(0.5) { throw Offline() }
            }

            func texts(of chat: String) async throws -> AsyncStream<String> { AsyncStream { $0.yield("Hello") } }
        }

        await Simulation.explore(seeds: 0..<100) { world in
            let store = try await world.store { Inbox.Module(service: SlowServer(world: world)) }
            let ann = Relux.ChildAction(Chat.Module.self, id: "ann", Chat.Send(message: .init(id: 1, text: "Hi")))

            await store.dispatch {
                Inbox.State.Action.open("ann")
                ann
            }
            try await world.latency(.zero ... .seconds(5))
            await store.dispatch(Inbox.State.Action.close("ann"))
            let unread = try await store.state(of: Inbox.State.self).unread

            try await world.latency(.zero ... .seconds(5))
            #expect(try await store.state(of: Inbox.State.self).unread == unread)
        }
    }
}
