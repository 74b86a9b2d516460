import Relux

/// A state that keeps the entries that reached it, in order: what a test asserts orders on.
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

/// An effect that names what it is about.
struct Work: Relux.Effect, Hashable {
    var name = "work"
}

/// A saga made of closures, on `Work`.
struct WorkSaga: Relux.Saga {
    var policy: Relux.Policy = .concurrent
    var tidy: (@Sendable (Work) -> Log.Action?)?
    let body: @Sendable (Work, Relux.SagaContext) async throws -> Void

    func policy(for trigger: Work) -> Relux.Policy { policy }
    func actionOnCancel(_ trigger: Work) -> (any Relux.Action)? { tidy?(trigger) }
    func run(_ trigger: Work, in context: Relux.SagaContext) async throws { try await body(trigger, context) }

    /// A module with this saga, a log and what else is given.
    func module(_ sagas: any Relux.Saga...) -> SagaModule { SagaModule(sagas: [self] + sagas) }
}

/// A module of sagas beside a log.
struct SagaModule: Relux.Module {
    var sagas: [any Relux.Saga] = []
    var flows: [any Relux.Flow] = []
    var watchers: [any Relux.Watcher] = []
    var dependencies: [any Relux.Module] { [Log.Module()] }
}

/// A question that promises a number.
struct Question: Relux.Effect {
    typealias Output = Int
    var number = 0
}

/// A flow made of closures, on `Question`.
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
