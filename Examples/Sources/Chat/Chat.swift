import Relux

/// One chat: its messages, an outbox, and a live connection. It doesn't know that there are others.
enum Chat {
    struct Message: Identifiable, Hashable, Sendable {
        let id: Int
        let text: String
    }

    struct State: Relux.State, Hashable {
        var messages: [String] = []
        /// The messages that the server doesn't have yet, in the order in which they were written.
        var outbox = Relux.Entities<Message>()
        /// The messages that the server has refused. ``Send`` sends one of them again.
        var refused = Relux.Entities<Message>()
        var isConnected = false

        enum Action: Relux.Action, Hashable {
            case connected
            case disconnected
            case received(String)
            case delivered(Message)
            case refused(Message)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .connected: isConnected = true
            case .disconnected: isConnected = false
            case .received(let text): messages.append(text)
            case .delivered(let message):
                outbox.remove(id: message.id)
                messages.append(message.text)
            case .refused(let message):
                outbox.remove(id: message.id)
                refused[id: message.id] = message
            }
        }
    }

    /// Sends a message. It is in the outbox at once, and leaves it when the server has it or has refused it.
    struct Send: Relux.Effect, Hashable { let message: Message }

    struct Sender: Relux.Saga {
        let chat: String
        let service: any ChatService

        /// The messages of a chat are delivered one after another.
        func policy(for send: Send) -> Relux.Policy { .serial }

        func actionOnFailure(_ send: Send, _ error: any Error) -> (any Relux.Action)? {
            error is MessageRefused ? State.Action.refused(send.message) : nil
        }

        func run(_ send: Send, in context: Relux.SagaContext) async throws {
            let schedule = Relux.RetrySchedule.exponential(base: .seconds(1), limit: .seconds(30), attempts: .max) {
                !($0 is MessageRefused)
            }
            try await context.retry(schedule) { try await service.deliver(send.message, to: chat) }
            await context.dispatch(State.Action.delivered(send.message))
        }
    }

    /// Lives as long as the chat, and connects again whenever the connection is lost.
    struct Connection: Relux.Watcher {
        let chat: String
        let service: any ChatService

        func watch(in context: Relux.SagaContext) async throws {
            while true {
                let texts = try await context.retry(.constant(.seconds(1), attempts: .max)) {
                    try await service.texts(of: chat)
                }
                await context.dispatch(State.Action.connected)
                for await text in texts { await context.dispatch(State.Action.received(text)) }
                // A cancelled watcher ends here. A lost connection is followed by another one.
                try Task.checkCancellation()
                await context.dispatch(State.Action.disconnected)
                try await context.sleep(for: .seconds(1))
            }
        }
    }

    struct Module: Relux.Module, Identifiable {
        let id: String
        let service: any ChatService

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: State.self, on: Send.self) { state, send in
                    state.outbox[id: send.message.id] = send.message
                    state.refused.remove(id: send.message.id)
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Sender(chat: id, service: service)] }
        var watchers: [any Relux.Watcher] { [Connection(chat: id, service: service)] }
    }
}

protocol ChatService: Sendable {
    /// Delivers a message once, even if it is called again with the same id.
    ///
    /// - Throws: ``MessageRefused`` if another attempt would be refused as well; any other error if it might succeed.
    func deliver(_ message: Chat.Message, to chat: String) async throws

    /// The messages of others, until the connection is lost.
    func texts(of chat: String) async throws -> AsyncStream<String>
}

/// The server doesn't take a message, for example because its sender is blocked.
struct MessageRefused: Error {}
