import Relux

/// The open chats. Each of them is an instance of ``Chat/Module``, which exists as long as its id is in the state.
enum Inbox {
    struct State: Relux.State, Hashable {
        var open: [String] = []
        var unread: [String: Int] = [:]

        enum Action: Relux.Action, Hashable { case open(String), close(String), seen(String) }

        mutating func reduce(_ action: Action) {
            switch action {
            case .open(let id): if !open.contains(id) { open.append(id) }
            case .close(let id):
                open.removeAll { $0 == id }
                unread[id] = nil
            case .seen(let id): unread[id] = nil
            }
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
        var children: [Relux.Children] {
            [.each(of: State.self, \.open) { id, _ in Chat.Module(id: id, service: service) }]
        }
    }
}
