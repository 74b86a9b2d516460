import Relux
import TestFixtures
import Testing

@Suite("Middleware", .timeLimit(.minutes(10)))
struct MiddlewareTests: Staged {
    let scene = Scene()

    private func store(
        _ middleware: [HookMiddleware], modules: [any Relux.Module] = [Ledger.Module()]
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(middleware: middleware, observers: [observer])) { modules }
    }

    /// Records what it sees in a trace, and decides.
    private func noting(
        _ name: String,
        _ decide: @escaping @Sendable (any Relux.Action) -> Relux.Interception = { _ in .proceed }
    ) -> HookMiddleware {
        HookMiddleware { [trace] action, _ in
            if let write = action as? Ledger.Write { trace.note("\(name)\(write.number)") }
            return decide(action)
        }
    }

    @Test("each middleware sees every action, in the order of the configuration, whichever verb is used")
    func order() async throws {
        let store = try await store([noting("a"), noting("b")])

        await store.dispatch(Ledger.Write(number: 1))
        store.send(Ledger.Write(number: 2))
        await store.dispatch(contentsOf: [Ledger.Write(number: 3), Ledger.Write(number: 4)])
        await store.dispatch { Ledger.Write(number: 5) }
        await store.actions { Ledger.Write(number: 6) }

        #expect(trace.entries == (1...6).flatMap { ["a\($0)", "b\($0)"] })
        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == Array(1...6))
    }

    @Test("in a batch, it sees each action with the state that the previous action left")
    func seesTheStateInTheBatch() async throws {
        // Passes a write only if it is the next number.
        let middleware = HookMiddleware { action, reader in
            guard let write = action as? Ledger.Write else { return .proceed }
            let next = reader[Ledger.State.self]?.writes.count ?? 0
            return write.number == next ? .proceed : .drop(reason: "\(write.number) instead of \(next)")
        }
        let store = try await store([middleware])

        let array = await store.dispatch(contentsOf: [0, 2, 1, 1, 2].map { Ledger.Write(number: $0) })
        let builder = await store.dispatch { for number in [5, 3, 4, 4] { Ledger.Write(number: number) } }

        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == [0, 1, 2, 3, 4])
        #expect(array.sequence == 3)
        #expect(builder.sequence == 5)
        #expect(observer.records.entries.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(observer.refusals.entries.count == 4)
    }

    @Test("a dropped action isn't reduced, gets no number, and is reported with the reason")
    func dropped() async throws {
        let dropping = noting("a") { action in
            (action as? Ledger.Write)?.number == 1 ? .drop(reason: "unlucky") : .proceed
        }
        let store = try await store([dropping, noting("b")])

        let first = await store.dispatch(Ledger.Write(number: 0))
        let line: UInt = #line + 1
        let second = await store.dispatch(Ledger.Write(number: 1))
        let third = await store.dispatch(Ledger.Write(number: 2))
        await second.finished()

        #expect([first.sequence, second.sequence, third.sequence] == [1, nil, 2])
        #expect(trace.entries == ["a0", "b0", "a1", "a2", "b2"])
        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == [0, 2])
        let refusal = try #require(observer.refusals.entries.first)
        #expect(refusal.name == "droppedByMiddleware" && refusal.description.hasSuffix("unlucky"))
        #expect(refusal.action as? Ledger.Write == Ledger.Write(number: 1))
        #expect(refusal.callSite?.line == line)
    }

    @Test("a batch whose actions are all dropped has no number and counts as cancelled")
    func wholeBatchDropped() async throws {
        let store = try await store([HookMiddleware { _, _ in .drop(reason: "closed") }])

        let receipt = await store.dispatch(contentsOf: [Ledger.Write(number: 0), Ledger.Write(number: 1)])
        let result = await store.actions {
            Ledger.Write(number: 2)
            Ledger.Write(number: 3)
        }

        #expect(receipt.sequence == nil)
        #expect("\(result)" == "cancelled")
        #expect(try await store.state(of: Ledger.State.self).writes.isEmpty)
    }

    @Test("a replacement goes on to the next middleware only")
    func replaced() async throws {
        func adding(_ summand: Int) -> @Sendable (any Relux.Action) -> Relux.Interception {
            { action in
                guard let write = action as? Ledger.Write else { return .proceed }
                return .replace(with: Ledger.Write(number: write.number + summand))
            }
        }
        let store = try await store(
            [noting("a", adding(10)), noting("b", adding(100)), noting("c")])

        await store.dispatch(Ledger.Write(number: 1))
        await store.dispatch(contentsOf: [Ledger.Write(number: 2)])

        #expect(trace.entries == ["a1", "b11", "c111", "a2", "b12", "c112"])
        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == [111, 112])
        #expect(observer.records.entries.compactMap { ($0.action as? Ledger.Write)?.number } == [111, 112])
    }

    @Test("a replacement of another type is routed by its own type")
    func replacedByAnotherType() async throws {
        let swapping = HookMiddleware { action, _ in
            switch action {
            case let work as Work: .replace(with: Log.Action.add(work.name))
            case is Log.Action: .replace(with: Work(name: "instead"))
            default: .proceed
            }
        }
        let store = try await store([swapping], modules: [WorkSaga { work, _ in trace.note(work.name) }.module()])

        await store.dispatch(Work(name: "logged")).finished()
        await store.dispatch(Log.Action.add("run")).finished()
        await store.dispatch {
            Work(name: "logged too")
            Log.Action.add("run")
        }.finished()

        #expect(try await store.log() == ["logged", "logged too"])
        #expect(trace.entries == ["instead", "instead"])
    }

    @Test("it sees what runs dispatch and the cleanup actions of cancelled runs")
    func seesRuns() async throws {
        let saga = WorkSaga(cleanup: { _ in .add("cleaned up") }) { _, context in
            await context.dispatch(Log.Action.add("started"))
            await gate.pass()
        }
        let seeing = HookMiddleware { action, _ in
            if case .add(let entry)? = action as? Log.Action { trace.note(entry) }
            return .proceed
        }
        let store = try await store([seeing], modules: [saga.module()])

        await dispatching(Work(), in: store)
        await store.cancel(WorkSaga.self)
        gate.open()

        #expect(trace.entries == ["started", "cleaned up"])
    }

    // MARK: Performed effects

    private struct OtherQuestion: Relux.Effect {
        typealias Output = Int
        var number: Int
    }

    private struct OtherFlow: Relux.Flow {
        func run(_ trigger: OtherQuestion, in context: Relux.SagaContext) async throws -> Int { trigger.number * 100 }
    }

    private static let answers = SagaModule(
        sagas: [WorkSaga { _, _ in }], flows: [QuestionFlow { question, _ in question.number }, OtherFlow()]
    )

    private static func replacing(
        with replacement: @escaping @Sendable (Question) -> any Relux.Action
    ) -> HookMiddleware {
        HookMiddleware { action, _ in
            (action as? Question).map { .replace(with: replacement($0)) } ?? .proceed
        }
    }

    @Test("a performed effect may be replaced with one of the same output, of the same or another type")
    func replacedWithSameOutput() async throws {
        let same = try await store([Self.replacing { Question(number: $0.number + 1) }], modules: [Self.answers])
        let other = try await store([Self.replacing { OtherQuestion(number: $0.number) }], modules: [Self.answers])

        #expect(try await same.perform(Question(number: 1)) == 2)
        #expect(try await other.perform(Question(number: 1)) == 100)
    }

    @Test("a performed effect may not be replaced with anything else", arguments: [false, true])
    func replacedWithOtherOutput(isEffect: Bool) async throws {
        let replacement: any Relux.Action = isEffect ? Work() : Log.Action.add("no effect")
        let store = try await store([Self.replacing { _ in replacement }], modules: [Self.answers])

        #expect(await Ending.of { try await store.perform(Question(number: 1)) } == .dropped)
        #expect(observer.records.entries.isEmpty)
        #expect(observer.reasons == ["replacementWithoutOutput"])
    }

    @Test("performing an effect that a middleware drops throws dropped")
    func droppedEffects() async throws {
        let store = try await store([HookMiddleware { _, _ in .drop(reason: "no") }], modules: [Self.answers])

        #expect(await Ending.of { try await store.perform(Question(number: 1)) } == .dropped)
    }
}
