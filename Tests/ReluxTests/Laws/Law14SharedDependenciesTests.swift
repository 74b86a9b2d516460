import Relux
import Testing

@Suite("Law 14: shared dependencies", .timeLimit(.minutes(10)))
struct Law14SharedDependenciesTests: Staged {
    let scene = Scene()

    /// A ← B, A ← C; B and C ← D.
    private func diamond() -> Part<TagA> {
        .counting(
            needing: Part<TagB>.counting(needing: Part<TagD>.counting()),
            Part<TagC>.counting(needing: Part<TagD>.counting())
        )
    }

    @Test("The bottom of a diamond is registered once, reported as shared, and unregistered after both sides")
    func diamondIsRemovedInOrder() async throws {
        let store = Relux.Store(.init(observers: [observer]))

        try await store.register(diamond())
        await store.dispatch(Counter<TagD>.Add())
        #expect(await store.count(of: TagD.self) == 1)
        await store.unregister(Part<TagA>.self)

        #expect(
            observer.trace.entries.filter { $0.contains("Part") } == [
                "registered Part<TagD>", "registered Part<TagB>", "registered Part<TagC>", "registered Part<TagA>",
                "shared Part<TagD>",
                "unregistered Part<TagA>", "unregistered Part<TagB>", "unregistered Part<TagC>",
                "unregistered Part<TagD>",
            ]
        )
        // Sharing used to be reported as a refusal, although nothing was refused.
        #expect(observer.refusals.entries.isEmpty)
    }

    @Test(
        "A dependency that is also registered by name or leased outlives the modules that needed it",
        arguments: [true, false])
    func ownersOutliveDependents(isLeased: Bool) async throws {
        let store = try await Relux.Store { diamond() }
        let lease = isLeased ? try await store.attach(Part<TagD>.counting()) : nil
        if !isLeased { try await store.register(Part<TagD>.counting()) }

        await store.unregister(Part<TagA>.self)
        #expect(await store.count(of: TagB.self) == nil)
        #expect(await store.count(of: TagD.self) == 0)

        if let lease { await lease.end() } else { await store.unregister(Part<TagD>.self) }
        #expect(await store.count(of: TagD.self) == nil)
    }

    @Test(
        "A module that is unregistered by name stays for its dependents, which the report names if nothing else held it",
        arguments: [true, false])
    func dependentsOutliveName(isRegisteredByName: Bool) async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { diamond() }
        if isRegisteredByName { try await store.register(Part<TagD>.counting()) }

        await store.unregister(Part<TagD>.self)

        #expect(await store.count(of: TagD.self) == 0)
        let dependents = isRegisteredByName ? [] : [["Part<TagB>", "Part<TagC>"]]
        #expect(observer.refusals.entries.map(neededBy) == dependents, "\(observer.refusals.entries)")
        await store.unregister(Part<TagA>.self)
        #expect(await store.count(of: TagD.self) == nil)
    }

    private func neededBy(_ refusal: Relux.Refusal) -> [String] {
        guard case .moduleStillNeeded(let module, let dependents) = refusal.reason, module == Part<TagD>.self else {
            return []
        }
        return dependents.map { "\($0)" }
    }

    // Reducers used to be removed by the state that they change, which also removed the owner's.
    @Test("A dependency stays while any module needs it, and loses only the reducers of modules that have gone")
    func reducersOfOthersStay() async throws {
        let store = try await Relux.Store {
            Part<TagA>(
                reducers: [
                    .ticking(TagD.self, by: 1),
                    .init(of: Counter<TagD>.self, on: Counter<TagD>.Add.self) { state, _ in state.value += 1_000 },
                ],
                dependencies: [Part<TagD>.counting()]
            )
            Part<TagB>(reducers: [.ticking(TagD.self, by: 10)], dependencies: [Part<TagD>.counting()])
        }

        await store.unregister(Part<TagA>.self)

        await store.dispatch(Tick())
        await store.dispatch(Counter<TagD>.Add(amount: 100))
        #expect(await store.count(of: TagD.self) == 110)
        await store.unregister(Part<TagB>.self)
        #expect(await store.count(of: TagD.self) == nil)
    }

    @Test("A module's runs end with it, and those of its dependency continue")
    func runsOfTheDependencyContinue() async throws {
        let store = try await Relux.Store {
            Part<TagA>.counting(
                needing: WorkSaga { _, context in
                    await gate.pass()
                    await context.dispatch(Log.Action.add("ran"))
                }.module()
            )
            Part<TagB>.counting(needing: SagaModule())
        }
        let dispatched = await dispatching(Work(), in: store)

        await store.unregister(Part<TagA>.self)
        gate.open()
        await dispatched.finished()

        #expect(try await store.state(of: Log.self).entries == ["ran"])
    }
}
