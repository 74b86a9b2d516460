import Relux
import ReluxTesting
import Testing

/// Effects mean the same whether or not anything observes the store.
@Suite("Effects", .timeLimit(.minutes(10)))
struct EffectTests {
    /// Counts the orders in its own module's state, before the saga sees it.
    private struct Shop: Relux.Module {
        struct Stock: Relux.State {
            var orders: [String] = []

            typealias Action = Never
        }

        struct Order: Relux.Effect {
            var name = "order"
        }

        struct Price: Relux.Effect {
            typealias Output = Int
        }

        struct Pricing: Relux.Flow {
            func run(_ trigger: Price, in context: Relux.SagaContext) async throws -> Int { 7 }
        }

        let body: @Sendable (Order, Relux.SagaContext) async throws -> Void

        var states: [any Relux.State] { [Stock()] }
        var reducers: [Relux.Reducer] {
            [.init(of: Stock.self, on: Order.self) { stock, order in stock.orders.append(order.name) }]
        }
        var sagas: [any Relux.Saga] { [ClosureSaga<Order>(body: body)] }
        var flows: [any Relux.Flow] { [Pricing()] }
    }

    private func store(
        isObserved: Bool, _ body: @escaping @Sendable (Shop.Order, Relux.SagaContext) async throws -> Void
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(observers: isObserved ? [RecordingObserver()] : [])) { Shop(body: body) }
    }

    @Test("an effect is numbered, reduced before its saga starts, and awaited", arguments: [false, true])
    func perform(isObserved: Bool) async throws {
        let seen = Trace<[String]>()
        let store = try await store(isObserved: isObserved) { _, context in
            seen.note(try await context.state(of: Shop.Stock.self).orders)
        }

        try await store.perform(Shop.Order(name: "a"))
        let receipt = await store.dispatch(Shop.Order(name: "b"))
        let hasSucceeded = if case .success = await receipt.outcome() { true } else { false }

        #expect(seen.entries == [["a"], ["a", "b"]])
        #expect(receipt.sequence == 2)
        #expect(hasSucceeded)
        #expect(try await store.perform(Shop.Price()) == 7)
    }

    @Test("a reader gets the last value that an effect's reducers have left", arguments: [false, true])
    func readers(isObserved: Bool) async throws {
        let store = try await store(isObserved: isObserved) { _, _ in }
        let values = store.values(of: Shop.Stock.self)
        let reader = Task {
            for await stock in values where stock.orders.count == 100 { return stock.orders.last }
            return nil
        }

        for number in 1...100 { try await store.perform(Shop.Order(name: "\(number)")) }

        #expect(await reader.value == "100")
    }

    @Test("the error of a saga reaches the performer, and failures after a dispatch", arguments: [false, true])
    func errors(isObserved: Bool) async throws {
        let store = try await store(isObserved: isObserved) { order, _ in throw TestFailure(name: order.name) }
        var failures = store.failures.makeAsyncIterator()

        let performed = await Ending.of { try await store.perform(Shop.Order(name: "performed")) }
        await store.dispatch(Shop.Order(name: "dispatched"))
        let failure = await failures.next()

        #expect(performed == .failed(TestFailure(name: "performed")))
        #expect(failure?.error as? TestFailure == TestFailure(name: "dispatched"))
    }

    @Test("after the last saga is gone, the effect is unhandled", arguments: [false, true])
    func unhandled(isObserved: Bool) async throws {
        let store = try await store(isObserved: isObserved) { _, _ in }
        try await store.perform(Shop.Order())

        await store.unregister(Shop.self)

        #expect(await Ending.of { try await store.perform(Shop.Order()) } == .unhandled)
    }

    @Test("a stream of the effect gets it while a saga takes it", arguments: [false, true])
    func streams(isObserved: Bool) async throws {
        let store = try await store(isObserved: isObserved) { _, _ in }
        var orders = store.actionStream(of: Shop.Order.self).makeAsyncIterator()

        try await store.perform(Shop.Order(name: "a"))

        #expect(await orders.next()?.name == "a")
    }

    @Test("an effect triggered through the context of a run that has ended triggers nothing", arguments: [false, true])
    func endedRun(isObserved: Bool) async throws {
        let contexts = Trace<Relux.SagaContext>()
        let store = try await store(isObserved: isObserved) { _, context in contexts.note(context) }
        try await store.perform(Shop.Order(name: "a"))
        let context = try #require(contexts.entries.first)

        let receipt = await context.dispatch(Shop.Order(name: "b"))
        let performed = await Ending.of { try await context.perform(Shop.Order(name: "c")) }

        #expect(receipt.sequence == nil)
        #expect(performed == .cancelled)
        #expect(contexts.entries.count == 1)
        #expect(try await store.state(of: Shop.Stock.self).orders == ["a"])
    }

    /// An instance that takes the orders itself.
    private struct Branch: Relux.Module, Identifiable {
        let id: Int
        let takers: Trace<String>

        var sagas: [any Relux.Saga] { [ClosureSaga<Shop.Order> { _, _ in takers.note("branch") }] }
    }

    @Test("an effect goes to the instance in which it is triggered, if that takes it", arguments: [false, true])
    func instances(isObserved: Bool) async throws {
        let takers = Trace<String>()
        let store = try await store(isObserved: isObserved) { _, _ in takers.note("root") }
        try await store.register(Branch(id: 1, takers: takers))
        let branch = store.scope(of: Branch.self, id: 1)

        try await branch.perform(Shop.Order())
        await branch.dispatch(Shop.Order()).finished()
        try await store.perform(Shop.Order())
        await store.dispatch(Shop.Order()).finished()

        #expect(takers.entries == ["branch", "branch", "root", "root"])
    }
}
