import Relux
import Testing

@Suite("ActionsBuilder and ModuleBuilder", .timeLimit(.minutes(10)))
struct ActionsBuilderTests {
    private func build(@Relux.ActionsBuilder _ actions: () -> [any Relux.Action]) -> [String] {
        actions().map { action in
            switch action {
            case let write as Ledger.Write: "\(write.number)"
            case let work as Work: work.name
            default: "?"
            }
        }
    }

    private func write(_ number: Int) -> Ledger.Write { Ledger.Write(number: number) }

    @Test("it lists none, one, or several actions, and arrays of one type and of any types")
    func lists() {
        let typed = [write(1), write(2)]
        let mixed: [any Relux.Action] = [Work(name: "a"), write(3)]

        #expect(build {} == [])
        #expect(build { write(1) } == ["1"])
        #expect(build { typed } == ["1", "2"])
        #expect(
            build {
                typed
                mixed
                [Ledger.Write]()
                write(4)
            } == ["1", "2", "a", "3", "4"]
        )
    }

    @Test("it accepts `if let` and `switch`", arguments: [0, 1, 2])
    func choices(number: Int) {
        let name: String? = number == 2 ? "two" : nil

        #expect(
            build {
                if let name { Work(name: name) }
                switch number {
                case 0: write(10)
                case 1:
                    write(11)
                    write(12)
                default: if number == 2 { write(13) }
                }
            } == [["10"], ["11", "12"], ["two", "13"]][number]
        )
    }

    /// Has the same name as the builder's wrapper for several actions.
    private struct ActionList: Relux.Action {
        let actions: [any Relux.Action]
    }

    @Test("an action that contains actions stays one action, and nested lists, branches, and loops are flattened")
    func listsInLists() {
        let listed = Relux.ActionsBuilder.buildFinalResult(
            Relux.ActionsBuilder.buildBlock(Relux.ActionsBuilder.buildExpression(ActionList(actions: [write(1)])))
        )

        #expect(listed.map { ($0 as? ActionList)?.actions.count } == [1])
        #expect(
            build {
                if true {
                    if true {
                        for number in 1...2 {
                            if number == 1 {
                                [write(number), write(number)]
                                for _ in 0..<0 { write(9) }
                                for name in ["a", "b"] { Work(name: name) }
                            } else {
                                write(number)
                                [any Relux.Action]([write(3)])
                            }
                        }
                    }
                    write(4)
                }
            } == ["1", "1", "a", "b", "2", "3", "4"]
        )
    }

    @Test("it accepts `#available`")
    func availability() {
        #expect(
            build {
                if #available(macOS 999, iOS 999, tvOS 999, watchOS 999, visionOS 999, *) { write(1) } else { write(2) }
                write(3)
            }.last == "3"
        )
    }

    @Test("a builder is executed once, before anything is reduced, where the caller is isolated")
    @MainActor
    func runsOnce() async throws {
        final class Counter {
            var runs = 0
        }
        let counter = Counter()
        let store = try await Relux.Store { Ledger.Module() }

        await store.dispatch {
            MainActor.assertIsolated()
            counter.runs += 1
            return [write(counter.runs)]
        }
        let result = await store.actions {
            MainActor.assertIsolated()
            counter.runs += 1
            return [write(counter.runs), write(counter.runs)]
        }
        await store.dispatcher.dispatch {
            counter.runs += 1
            return [write(counter.runs)]
        }

        #expect(counter.runs == 3)
        #expect("\(result)" == "success")
        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == [1, 2, 2, 3])
    }

    @Test("modules are listed in the same ways", arguments: [false, true])
    func modules(isOn: Bool) async throws {
        func build(@Relux.ModuleBuilder _ modules: () -> [any Relux.Module]) -> [String] {
            modules().map { "\(type(of: $0))" }
        }
        let others: [any Relux.Module] = [Log.Module(), SagaModule()]

        let names = build {
            others
            if isOn { Ledger.Module() }
            if isOn { Scales.Module() } else { Log.Module() }
            for _ in 0..<2 { Log.Module() }
        }

        #expect(
            names
                == (isOn
                    ? ["Module", "SagaModule", "Module", "Module", "Module", "Module"]
                    : ["Module", "SagaModule", "Module", "Module", "Module"])
        )
    }
}
