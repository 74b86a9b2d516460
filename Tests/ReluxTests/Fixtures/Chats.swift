import Relux
import TestFixtures

/// A feature that can exist many times, and doesn't know it.
enum Chat {
    struct State: Relux.State {
        var messages: [String] = []
        var isSending = false

        enum Action: Relux.Action, Hashable { case sent(String), received(String), failed }

        mutating func reduce(_ action: Action) {
            switch action {
            case .sent(let text), .received(let text):
                messages.append(text)
                isSending = false
            case .failed: isSending = false
            }
        }
    }

    struct Finished: Relux.Action, Hashable {}

    struct Send: Relux.Effect {
        let text: String
    }

    struct Count: Relux.Effect {
        typealias Output = Int
    }

    /// Sends when the gate opens.
    struct Sender: Relux.Saga {
        let gate: Gate?
        let policy: Relux.Policy

        func policy(for effect: Send) -> Relux.Policy { policy }

        func actionOnCancel(_ effect: Send) -> (any Relux.Action)? { State.Action.failed }

        func run(_ effect: Send, in context: Relux.SagaContext) async throws {
            await gate?.pass()
            await context.dispatch(State.Action.sent(effect.text))
        }
    }

    struct Counter: Relux.Flow {
        func run(_ effect: Count, in context: Relux.SagaContext) async throws -> Int {
            try await context.state(of: State.self).messages.count
        }
    }

    /// Notes the messages that arrive in this chat.
    struct Listener: Relux.Watcher {
        let heard: Trace<String>

        var listens: [any Relux.Action.Type] { [State.Action.self] }

        func watch(in context: Relux.SagaContext) async throws {
            for await action in context.actionStream(of: State.Action.self) {
                if case .received(let text) = action {
                    heard.note("\(context.run.scope?.description ?? "root") \(text)")
                }
            }
        }
    }

    struct Module: Relux.Module, Identifiable {
        let id: String
        var gate: Gate?
        var policy = Relux.Policy.concurrent
        var heard: Trace<String>?
        var dependencies: [any Relux.Module] = []
        var requires: [any Relux.Module.Type] = []

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Send.self) { state, _ in state.isSending = true },
                Relux.Reducer(of: State.self, on: Finished.self) { _, _ in },
            ]
        }
        var sagas: [any Relux.Saga] { [Sender(gate: gate, policy: policy)] }
        var flows: [any Relux.Flow] { [Counter()] }
        var watchers: [any Relux.Watcher] { heard.map { [Listener(heard: $0)] } ?? [] }
    }
}

/// The chats that are open, and how many messages of each have not been read.
enum Inbox {
    struct State: Relux.State {
        var open: [String] = []
        var unread: [String: Int] = [:]
        var edited: String?

        enum Action: Relux.Action, Hashable { case open(String), close(String), set([String]), edit(String?) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let id): open.append(id)
            case .close(let id): open.removeAll { $0 == id }
            case .set(let ids): open = ids
            case .edit(let id): edited = id
            }
        }
    }

    typealias ChatAction = Relux.ChildAction<Chat.Module, Chat.State.Action>
    typealias ChatFinished = Relux.ChildAction<Chat.Module, Chat.Finished>

    struct Closer: Relux.Saga {
        func run(_ trigger: ChatFinished, in context: Relux.SagaContext) async throws {
            await context.dispatch(State.Action.close(trigger.id))
        }
    }

    struct Module: Relux.Module {
        var chat: @Sendable (String) -> Chat.Module = { Chat.Module(id: $0) }

        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: ChatAction.self) { state, chat in
                    if case .received = chat.action { state.unread[chat.id, default: 0] += 1 }
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Closer()] }
        var children: [Relux.Children] { [.each(of: State.self, \.open) { id, _ in chat(id) }] }
    }
}

/// A state of the root that features in instances read and change.
enum Account {
    struct State: Relux.State {
        var name = "nobody"
        var changes = 0

        struct Action: Relux.Action { let name: String }

        mutating func reduce(_ action: Action) {
            name = action.name
            changes += 1
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }
}
