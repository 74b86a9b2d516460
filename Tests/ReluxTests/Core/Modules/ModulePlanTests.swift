import Relux
import Testing

@Suite("ModulePlan", .timeLimit(.minutes(10)))
struct ModulePlanTests {
    private let observer = TraceObserver()

    private func store(_ modules: any Relux.Module...) async throws -> Relux.Store {
        let store = Relux.Store(.init(observers: [observer]))
        try await store.register(contentsOf: modules)
        return store
    }

    /// What the observer has been told with this word, in order.
    private func told(_ word: String) -> [String] {
        observer.trace.entries.filter { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count + 1)) }
    }

    @Test("an instance that requires its own module requires another instance, around it")
    func requiresItself() async throws {
        let chat = Chat.Module(id: "c1", requires: [Chat.Module.self])

        let error = await #expect(throws: Relux.StoreError.self) { try await store(chat) }

        #expect(error?.description.hasPrefix("ReluxTests.Chat.Module requires itself.") == true)
    }

    @Test("a cycle is named, even if only one module was listed")
    func lonelyCycle() async throws {
        let requiring = Part<TagA>(requires: [Part<TagB>.self])
        let cycles = [
            await #expect(throws: Relux.StoreError.self) { try await store(Part<TagB>(dependencies: [requiring])) },
            await #expect(throws: Relux.StoreError.self) { try await store(Part<TagD>(requires: [Part<TagD>.self])) },
        ].map { error in
            if case .dependencyCycle(let modules) = error {
                modules.map { "\($0)" }
            } else {
                ["\(String(describing: error))"]
            }
        }

        #expect(cycles == [["Part<TagA>", "Part<TagB>", "Part<TagA>"], ["Part<TagD>", "Part<TagD>"]])
    }

    @Test(
        "a dependency that two removed modules share is removed after both, whichever lists it first",
        arguments: [true, false])
    func removesInOrder(isFirst: Bool) async throws {
        let foot = Part<TagD>.counting()
        let side = Part<TagB>.counting(needing: foot)
        let head = Part<TagA>(dependencies: isFirst ? [foot, side] : [side, foot])
        let store = try await store(head)

        await store.unregister(Part<TagA>.self)

        #expect(told("unregistered") == ["Part<TagA>", "Part<TagB>", "Part<TagD>"])
    }

    @Test("an instance shares a dependency that is listed beside it, in any order", arguments: [false, true])
    func listedDependency(isFirst: Bool) async throws {
        let shared = Part<TagA>.counting(from: 1)
        let chat = Chat.Module(id: "c1", dependencies: [Part<TagA>.counting(from: 7)])
        let store = try await isFirst ? store(shared, chat) : store(chat, shared)

        await store.dispatch(Counter<TagA>.Add())

        let counter = try await store.scope(of: Chat.Module.self, id: "c1").state(of: Counter<TagA>.self)
        // The listed one has opened.
        #expect(counter.value == 2)
        #expect(told("registered").count == 2)
    }

    @Test(
        "a dependency that is listed beside a module precedes one farther outside, in any order",
        arguments: [false, true])
    func nearerDependency(isFirst: Bool) async throws {
        let store = try await store(Part<TagA>.counting(), Chat.Module(id: "c1"))
        let inner = Part<TagA>.counting()
        let user = Part<TagB>(reducers: [.ticking(TagA.self)], dependencies: [inner])

        try await store.scope(of: Chat.Module.self, id: "c1").register(
            contentsOf: isFirst ? [inner, user] : [user, inner])
    }

    @Test("a module that is registered again comes after all others")
    func countsGenerations() async throws {
        let store = try await store(Part<TagA>.counting(), Part<TagB>.counting())

        await store.unregister(Part<TagA>.self)
        try await store.register(Part<TagA>.counting())

        let order = await store.read { $0.allStates.map { "\(type(of: $0.state))" } }
        await store.shutdown()
        #expect(order == ["Counter<TagB>", "Counter<TagA>"])
        #expect(told("unregistered") == ["Part<TagA>", "Part<TagA>", "Part<TagB>"])
    }

    @Test("a state belongs to its module until that is removed, and no other module may own it until then")
    func ownsStates() async throws {
        let store = try await store(Part<TagA>.counting(needing: Part<TagB>.counting()))
        let rival = Part<TagD>(states: [Counter<TagB>(value: 7)])

        let error = await #expect(throws: Relux.StoreError.self) { try await store.register(rival) }
        await store.unregister(Part<TagA>.self)
        try await store.register(rival)

        #expect(error?.description.contains("Part<ReluxTests.TagB> and ReluxTests.Part<ReluxTests.TagD> list") == true)
        #expect(await store.count(of: TagB.self) == 7)
    }
}
