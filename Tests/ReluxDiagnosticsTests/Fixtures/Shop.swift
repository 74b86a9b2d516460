import Relux

/// A shop whose list is loaded by one saga and renamed by another, which performs an effect.
enum Shop {
    struct Product: Identifiable, Sendable, Equatable, Codable {
        let id: Int
        var title: String
    }

    struct State: Relux.State, Codable {
        var list: [Product] = []
        var isLoading = false
        var note: String?

        enum Action: Relux.Action, Codable {
            case loaded([Product])
            case renamed(id: Int, title: String)
            case removed(Int)
            case noted(String?)
        }

        mutating func reduce(_ action: Action) {
            switch action {
            case .loaded(let products): (list, isLoading) = (products, false)
            case .renamed(let id, let title):
                for index in list.indices where list[index].id == id { list[index].title = title }
            case .removed(let id): list.removeAll { $0.id == id }
            case .noted(let text): note = text
            }
        }

        subscript(id: Int) -> Product? { list.first { $0.id == id } }
    }

    enum Effect: Relux.Effect, Codable {
        case load
        case rename(Int, String)
        case nothing
    }

    struct Saga: Relux.Saga {
        func run(_ effect: Effect, in context: Relux.SagaContext) async throws {
            switch effect {
            case .load:
                await context.dispatch(
                    State.Action.loaded([Product(id: 1, title: "Milk"), Product(id: 2, title: "Tea")]),
                    fileID: "Shop/Saga.swift", line: 1)
            case .rename(let id, let title):
                try await context.perform(Effect.nothing, fileID: "Shop/Saga.swift", line: 2)
                await context.dispatch(
                    State.Action.renamed(id: id, title: title), fileID: "Shop/Saga.swift", line: 3)
            case .nothing: break
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Effect.self) { state, effect in
                    if case .load = effect { state.isLoading = true }
                }
            ]
        }
        var sagas: [any Relux.Saga] { [Saga()] }
    }
}

/// A room of a chat, of which there are several.
enum Room {
    struct State: Relux.State, Codable {
        var lines: [String] = []
        enum Action: Relux.Action, Codable { case said(String) }
        mutating func reduce(_ action: Action) {
            switch action {
            case .said(let line): lines.append(line)
            }
        }
    }

    struct Module: Relux.Module, Identifiable {
        let id: String
        var states: [any Relux.State] { [State()] }
    }
}

/// A persistence of a room that can't save.
struct FullDisk: Relux.StatePersistence {
    struct Full: Error { let secret = "secret" }

    func load(into initial: Room.State) -> Room.State? { nil }
    func save(_ state: Room.State) throws { throw Full() }
    func erase() {}
    func setAside() {}
    var pace: Relux.SavingPace { .atOnce }
}

/// A house that opens doors, hears what is said at them, and closes one when somebody leaves. It ignores
/// who knocks. Doors hear its bell.
enum House {
    struct State: Relux.State, Codable {
        var doors: [String] = []
        var heard: [String] = []
        enum Action: Relux.Action, Codable { case opened([String]), closed(String), rang }
        mutating func reduce(_ action: Action) {
            switch action {
            case .opened(let ids): doors += ids
            case .closed(let id): doors.removeAll { $0 == id }
            case .rang: break
            }
        }
    }

    struct Door: Relux.Module, Identifiable {
        let id: String
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: House.State.Action.self, in: .enclosing) { state, action in
                    if case .rang = action { state.rings += 1 }
                }
            ]
        }

        struct State: Relux.State, Codable {
            var lines: [String] = []
            var rings = 0
            enum Action: Relux.Action, Codable { case said(String), knocked }
            mutating func reduce(_ action: Action) {
                switch action {
                case .said(let line): lines.append(line)
                case .knocked: rings += 1
                }
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var children: [Relux.Children] { [.each(of: State.self, \.doors) { id, _ in Door(id: id) }] }
        var reducers: [Relux.Reducer] {
            [
                Relux.Reducer(of: State.self, on: Relux.ChildAction<Door, Door.State.Action>.self) { house, child in
                    guard case .said(let line) = child.action else { return }
                    house.heard.append(line)
                    if line == "bye" { house.doors.removeAll { $0 == child.id } }
                }
            ]
        }
    }
}

/// A state with a secret.
enum Vault {
    struct State: Relux.State {
        var token: Relux.Redacted<String>?
        var count = 0
        enum Action: Relux.Action { case signedIn(Relux.Redacted<String>) }
        mutating func reduce(_ action: Action) {
            switch action {
            case .signedIn(let token): (self.token, count) = (token, count + 1)
            }
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
    }
}
