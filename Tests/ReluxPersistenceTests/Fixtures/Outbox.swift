import Foundation
import Relux
import ReluxPersistence

/// A server that takes each message once, however often it is sent: a message has an id.
protocol ChatServer: Sendable {
    func post(_ message: Outbox.Message) async throws
}

/// A chat's messages that are still to be sent.
enum Outbox {
    struct Message: Codable, Hashable, Identifiable, Sendable {
        var id = UUID()
        let text: String
    }

    struct State: Relux.State, Codable {
        var waiting: [Message] = []

        enum Action: Relux.Action, Hashable {
            case write(Message)
            case sent(Message.ID)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .write(let message):
                waiting.append(message)
            case .sent(let id):
                waiting.removeAll { $0.id == id }
            }
        }
    }

    // snippet
    /// Sends what waits, in order, one message at a time.
    ///
    /// A message leaves only when it has been saved with its id. If the process dies before the answer is saved, it is
    /// sent again with the same id, which the server recognises.
    struct Sender: Relux.Watcher {
        let server: any ChatServer

        func watch(in context: Relux.SagaContext) async throws {
            for await message in context.values(of: State.self, { $0.waiting.first }) {
                guard let message else { continue }
                try await context.retry(.exponential(base: .milliseconds(10), limit: .seconds(1), attempts: .max)) {
                    try await context.saved(State.self)
                    try await server.post(message)
                }
                await context.dispatch(State.Action.sent(message.id))
            }
        }
    }
    // end

    struct Module: Relux.Module {
        let storage: any Relux.Storage
        let server: any ChatServer

        var states: [any Relux.State] { [State()] }
        var watchers: [any Relux.Watcher] { [Sender(server: server)] }
        var persistence: [any Relux.StatePersistence] { [Relux.Saved(State.self, as: "outbox", in: storage)] }
    }
}
