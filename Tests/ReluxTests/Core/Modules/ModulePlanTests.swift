import Testing

@testable import Relux

@Suite("ModulePlan", .timeLimit(.minutes(10)))
struct ModulePlanTests {
    /// Returns the names of the modules that would be new, and of those that are registered already.
    private func plan(
        _ modules: any Relux.Module..., in store: Relux.Store = Relux.Store()
    ) async throws -> (new: [String], shared: [String]) {
        try await store.inside { core -> Result<([String], [String]), Relux.StoreError> in
            do throws(Relux.StoreError) {
                let plan = try ModulePlan(for: modules, in: core.root)
                return .success((plan.entries.map { "\($0.registration.module)" }, plan.shared.map { "\($0)" }))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    @Test("A plan lists each module once, after all of its dependencies")
    func plansInOrder() async throws {
        let plan = try await plan(
            Part<TagA>.counting(
                needing: Part<TagB>.counting(needing: Part<TagD>.counting()),
                Part<TagC>.counting(needing: Part<TagD>.counting())
            ),
            Part<TagD>.counting()
        )

        #expect(plan.new == ["Part<TagD>", "Part<TagB>", "Part<TagC>", "Part<TagA>"])
        #expect(plan.shared == ["Part<TagD>", "Part<TagD>"])
    }

    @Test("A plan omits registered modules and the dependencies that only they need")
    func plansWhatIsMissing() async throws {
        let store = try await Relux.Store { Part<TagB>.counting() }

        let plan = try await plan(
            Part<TagA>.counting(needing: Part<TagB>.counting(needing: Part<TagC>.counting())), in: store
        )

        #expect(plan.new == ["Part<TagA>"])
        #expect(plan.shared == ["Part<TagB>"])
    }

    @Test("An instance that requires its own module requires another instance, around it")
    func requiresItself() async throws {
        let chat = Chat.Module(id: "c1", requires: [Chat.Module.self])

        let error = await #expect(throws: Relux.StoreError.self) { try await plan(chat) }

        guard case .missing(let missing, let dependent) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(missing) \(dependent)" == "Module Module")
    }

    private struct Requiring: Relux.Module {
        var needed: [any Relux.Module.Type] = [Depending.self]
        var requires: [any Relux.Module.Type] { needed }
    }

    private struct Depending: Relux.Module {
        var dependencies: [any Relux.Module] { [Requiring()] }
    }

    private struct Selfish: Relux.Module {
        var requires: [any Relux.Module.Type] { [Selfish.self] }
    }

    @Test("A cycle is named, even if only one module was listed")
    func lonelyCycle() async throws {
        let circles = [
            await #expect(throws: Relux.StoreError.self) { try await plan(Depending()) },
            await #expect(throws: Relux.StoreError.self) { try await plan(Selfish()) },
        ].map { error in
            if case .dependencyCircle(let modules) = error {
                modules.map { "\($0)" }
            } else {
                ["\(String(describing: error))"]
            }
        }

        #expect(circles == [["Requiring", "Depending", "Requiring"], ["Selfish", "Selfish"]])
    }

    @Test("A plan finds the module whose flow already handles an effect")
    func plansFlows() async throws {
        let store = try await Relux.Store { Part<TagB>(flows: [AskFlow<TagA>()]) }

        let error = await #expect(throws: Relux.StoreError.self) {
            try await plan(Part<TagA>(flows: [AskFlow<TagA>()]), in: store)
        }

        guard case .effectAnsweredTwice(_, let first, let second) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(first) \(second)" == "Part<TagB> Part<TagA>")
    }

    @Test(
        "A dependency that two removed modules share is removed after both, whichever lists it first",
        arguments: [true, false])
    func removesInOrder(isFirst: Bool) async throws {
        let foot = Part<TagD>.counting()
        let side = Part<TagB>.counting(needing: foot)
        let head = Part<TagA>(dependencies: isFirst ? [foot, side] : [side, foot])
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { head }

        await store.unregister(Part<TagA>.self)

        #expect(
            observer.trace.entries.filter { $0.hasPrefix("un") } == [
                "unregistered Part<TagA>", "unregistered Part<TagB>", "unregistered Part<TagD>",
            ])
    }

    @Test("Each registration has a higher generation than all earlier ones")
    func countsGenerations() async throws {
        let store = try await Relux.Store {
            Part<TagA>.counting()
            Part<TagB>.counting()
        }
        let first = await store.inside { core in core.root.modules[Part<TagA>.self]?.generation ?? 0 }

        await store.unregister(Part<TagA>.self)
        try await store.register(Part<TagA>.counting())

        let second = await store.inside { core in core.root.modules[Part<TagA>.self]?.generation ?? 0 }
        let order = await store.inside { core in core.root.modules.inOrder.map { "\($0.module)" } }
        #expect(second > first)
        #expect(order == ["Part<TagB>", "Part<TagA>"])
    }

    @Test("A state belongs to its module until that is removed, and no other module may own it until then")
    func ownsStates() async throws {
        let store = try await Relux.Store { Part<TagA>.counting(needing: Part<TagB>.counting()) }
        let rival = Part<TagD>(states: [Counter<TagB>(value: 0)])

        let error = await #expect(throws: Relux.StoreError.self) { try await plan(rival, in: store) }
        await store.unregister(Part<TagA>.self)
        let free = try await plan(rival, in: store)

        guard case .stateOwnedTwice(_, let first, let second) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(first) \(second)" == "Part<TagB> Part<TagD>")
        #expect(free.new == ["Part<TagD>"])
    }
}
