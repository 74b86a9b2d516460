import Opaque
import Relux
import ReluxQueries

extension Workload {
    /// A `Fetch` of a value that is fresh.
    package static let freshFetch = Workload("fetch of a fresh value") {
        let store = try await Relux.Store { Relux.Queries(Numbers()) }
        try await store.perform(Relux.Fetch(Numbers.self, 1))
        return Session { operations in
            for _ in 0..<operations {
                try await store.perform(Relux.Fetch(Numbers.self, 1))
                relux_opaque()
            }
        }
    }

    /// A `perform` of a flow that only returns.
    package static let emptyPerform = Workload("perform of an empty flow") {
        let store = try await Relux.Store { Idle() }
        return Session { operations in
            for _ in 0..<operations {
                try await store.perform(Nothing())
                relux_opaque()
            }
        }
    }

    /// A read of one key of a query.
    package static func queryRead(among count: Int) -> Workload {
        Workload("read of one of \(count) keys of a query") {
            let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) })
            let store = try await Relux.Store { Relux.Queries(Numbers(), initial: values) }
            return Session { operations in Numbers.read(operations, of: count, from: store) }
        }
    }

    /// A read of one element of a state's entities.
    package static func entityRead(among count: Int) -> Workload {
        Workload("read of one of \(count) entities") {
            let store = try await Relux.Store { Plain(count) }
            return Session { operations in Plain.read(operations, of: count, from: store) }
        }
    }

    /// A change of one key, with view states of other keys of the same query.
    package static func queryChange(besideViewStates number: Int) -> Workload {
        Workload("change of one key beside \(number) view states of others") {
            let store = try await Relux.Store { Relux.Queries(Numbers()) }
            let screen = try await QueryScreen(of: store, keys: 1...number)
            return Session { operations in await screen.change(operations) }
        }
    }
}

private struct Numbers: Relux.Query {
    let staleAfter = Duration.seconds(1_000_000)

    func fetch(_ key: Int, in request: Relux.QueryRequest) async throws -> Int { key }

    static func read(_ operations: Int, of count: Int, from store: Relux.Store) {
        var sum = 0
        for operation in 0..<operations {
            sum &+= store.readNow { $0.query(Numbers.self, operation % count).value ?? 0 }
            relux_opaque()
        }
        if sum == 1 { relux_opaque() }
    }
}

private struct Nothing: Relux.Effect { typealias Output = Int }

private struct Idle: Relux.Module {
    struct Flow: Relux.Flow {
        func run(_ nothing: Nothing, in context: Relux.SagaContext) async throws -> Int { 1 }
    }

    var flows: [any Relux.Flow] { [Flow()] }
}

private struct Plain: Relux.Module {
    struct State: Relux.State {
        struct Element: Identifiable, Sendable, Equatable {
            let id: Int
            var value: Int
        }
        typealias Action = Never

        var elements: Relux.Entities<Element>
    }

    let state: State

    init(_ count: Int) { state = State(elements: .init((0..<count).map { .init(id: $0, value: $0) }, keeping: .first)) }

    var states: [any Relux.State] { [state] }

    static func read(_ operations: Int, of count: Int, from store: Relux.Store) {
        var sum = 0
        for operation in 0..<operations {
            sum &+= store.readNow { $0[State.self]?.elements[id: operation % count]?.value ?? 0 }
            relux_opaque()
        }
        if sum == 1 { relux_opaque() }
    }
}

/// View states of keys.
@MainActor
private final class QueryScreen {
    private let store: Relux.Store
    private let states: [Relux.UI.ViewState<Int?>]

    init(of store: Relux.Store, keys: ClosedRange<Int>) throws {
        self.store = store
        states = try keys.map { key in try store.viewState { reader in reader.query(Numbers.self, key).value } }
    }

    func change(_ operations: Int) {
        for operation in 0..<operations {
            store.dispatchNow(Relux.Provide(Numbers.self, operation, for: 0))
            relux_opaque()
        }
    }
}
