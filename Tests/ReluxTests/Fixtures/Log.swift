import Relux

/// A state that records its entries in order, so that tests can check that order.
struct Log: Relux.State {
    var entries: [String] = []

    enum Action: Relux.Action, Hashable {
        case add(String)
    }

    mutating func reduce(_ action: Action) {
        switch action {
        case .add(let entry): entries.append(entry)
        }
    }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [Log()] }
    }
}

extension Log {
    init(_ entries: String...) {
        self.init(entries: entries)
    }
}

/// An effect with a name.
struct Work: Relux.Effect, Hashable {
    var name = "work"
}

/// A saga made of closures, for `Work`.
struct WorkSaga: Relux.Saga {
    var policy: Relux.Policy = .concurrent
    var cleanup: (@Sendable (Work) -> Log.Action?)?
    let body: @Sendable (Work, Relux.SagaContext) async throws -> Void

    func policy(for trigger: Work) -> Relux.Policy { policy }
    func actionOnCancel(_ trigger: Work) -> (any Relux.Action)? { cleanup?(trigger) }
    func run(_ trigger: Work, in context: Relux.SagaContext) async throws { try await body(trigger, context) }

    /// Returns a module with this saga, a log, and the given sagas.
    func module(_ sagas: any Relux.Saga...) -> SagaModule { SagaModule(sagas: [self] + sagas) }
}

/// A module of sagas, flows, and watchers, together with a log.
struct SagaModule: Relux.Module {
    var sagas: [any Relux.Saga] = []
    var flows: [any Relux.Flow] = []
    var watchers: [any Relux.Watcher] = []
    var dependencies: [any Relux.Module] { [Log.Module()] }
}

/// An effect that promises a number.
struct Question: Relux.Effect {
    typealias Output = Int
    var number = 0
}

/// A flow made of closures, for `Question`.
struct QuestionFlow: Relux.Flow {
    var policy: Relux.Policy = .concurrent
    let body: @Sendable (Question, Relux.SagaContext) async throws -> Int

    func policy(for trigger: Question) -> Relux.Policy { policy }
    func run(_ trigger: Question, in context: Relux.SagaContext) async throws -> Int {
        try await body(trigger, context)
    }
}

struct TestFailure: Error, Hashable {
    var name = "failure"
}
