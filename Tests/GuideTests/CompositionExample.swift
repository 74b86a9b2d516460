import Relux

/// The code of Docs/Composition.md. In a namespace of its own, because other tests have chats as well.
enum CompositionExample {
    /// Sends and receives the messages of one chat.
    protocol ChatService: Sendable {
        func send(_ text: String, to chat: String) async throws
        func messages(of chat: String) -> AsyncStream<String>
    }

    // Guide: A chat
    enum Chat {
        struct State: Relux.State {
            var messages: [String] = []
            var isSending = false

            enum Action: Relux.Action { case received(String), sending, sent(String), notSent }

            mutating func reduce(_ action: Action) {
                switch action {
                case .received(let text):
                    messages.append(text)
                case .sending:
                    isSending = true
                case .sent(let text):
                    messages.append(text)
                    isSending = false
                case .notSent:
                    isSending = false
                }
            }
        }

        struct Send: Relux.Effect { let text: String }

        /// Tells the scope around the chat that it has ended.
        struct Finished: Relux.Action {}

        struct Sender: Relux.Saga {
            let chat: String
            let service: any ChatService

            func policy(for send: Send) -> Relux.Policy { .serial }

            func actionOnStart(_ send: Send) -> (any Relux.Action)? { State.Action.sending }
            func actionOnFailure(_ send: Send, _ error: any Error) -> (any Relux.Action)? { State.Action.notSent }
            func actionOnCancel(_ send: Send) -> (any Relux.Action)? { State.Action.notSent }

            func run(_ send: Send, in context: Relux.SagaContext) async throws {
                try await service.send(send.text, to: chat)
                await context.finish(with: State.Action.sent(send.text))
            }
        }

        struct Connection: Relux.Watcher {
            let chat: String
            let service: any ChatService

            func watch(in context: Relux.SagaContext) async throws {
                for await text in service.messages(of: chat) {
                    await context.dispatch(State.Action.received(text))
                }
                // A cancelled iteration ends as well.
                try Task.checkCancellation()
                await context.dispatch(Finished())
            }
        }

        struct Module: Relux.Module, Identifiable {
            let id: String
            let service: any ChatService

            var states: [any Relux.State] { [State()] }
            var sagas: [any Relux.Saga] { [Sender(chat: id, service: service)] }
            var watchers: [any Relux.Watcher] { [Connection(chat: id, service: service)] }
        }
    }
    // End

    // Guide: An inbox
    enum Inbox {
        struct State: Relux.State {
            var open: [String] = []
            var unread: [String: Int] = [:]

            enum Action: Relux.Action { case open(String), close(String) }

            mutating func reduce(_ action: Action) {
                switch action {
                case .open(let id):
                    if !open.contains(id) { open.append(id) }
                    unread[id] = nil
                case .close(let id):
                    open.removeAll { $0 == id }
                }
            }
        }

        /// Closes a chat that has finished.
        struct Closer: Relux.Saga {
            func run(_ chat: Relux.ChildAction<Chat.Module, Chat.Finished>, in context: Relux.SagaContext) async throws
            {
                await context.dispatch(State.Action.close(chat.id))
            }
        }

        struct Module: Relux.Module {
            let service: any ChatService

            var states: [any Relux.State] { [State()] }
            var reducers: [Relux.Reducer] {
                [
                    .init(of: State.self, on: Relux.ChildAction<Chat.Module, Chat.State.Action>.self) { state, chat in
                        if case .received = chat.action { state.unread[chat.id, default: 0] += 1 }
                    }
                ]
            }
            var sagas: [any Relux.Saga] { [Closer()] }
            var children: [Relux.Children] {
                [.each(of: State.self, \.open) { id, _ in Chat.Module(id: id, service: service) }]
            }
        }
    }
    // End

    static func openAndSay(_ service: any ChatService) async throws -> (messages: [String], overview: [String]) {
        let store = try await Relux.Store { Inbox.Module(service: service) }

        // Guide: One step opens a chat and speaks in it
        await store.dispatch {
            Inbox.State.Action.open("ada")
            Relux.ChildAction(Chat.Module.self, id: "ada", Chat.State.Action.received("Hello"))
        }
        // End

        // Guide: A scope
        let chat = store.scope(of: Chat.Module.self, id: "ada")
        try await chat.perform(Chat.Send(text: "Hi"))
        let messages = try await chat.state(of: Chat.State.self).messages
        // End

        // Guide: All chats at once
        let overview = await store.read { reader in
            reader.states(of: Chat.State.self, in: Chat.Module.self).map { chat in
                "\(chat.id): \(chat.state.messages.count)"
            }
        }
        // End
        return (messages, overview)
    }

    static func attach(to store: Relux.Store, _ service: any ChatService) async throws -> Relux.Scope {
        // Guide: A lease
        let lease = try await store.attach(Chat.Module(id: "ada", service: service))
        await lease.scope.dispatch(Chat.State.Action.received("Hello"))
        await lease.end()
        // End
        return lease.scope
    }
}
