import Relux
import ReluxDiagnostics
import Testing

@Suite("The map of a store", .timeLimit(.minutes(10)))
struct StoreMapTests {
    @Test("it lists modules, states, reducers, sagas, and what they need, instances included")
    func data() async throws {
        let store = try await Relux.Store {
            Shop.Module()
            Room.Module(id: "a")
            Auditing()
        }

        let map = await store.map()

        #expect(map.modules.map(\.name) == ["Shop.Module", "Auditing", "Room.Module"])
        #expect(map.modules.map(\.scope) == [nil, nil, "Room.Module[\"a\"]"])
        #expect(
            map.modules[0].description.split(separator: "\n").map(String.init) == [
                "Shop.Module", "  owns Shop.State", "  reduces Shop.State.Action into Shop.State",
                "  reduces Shop.Effect into Shop.State", "  runs Shop.Saga on Shop.Effect",
            ])
        #expect(map.modules[0].reducers.map(\.isOwn) == [true, false])
        #expect(map.modules[1].needs == ["Shop.Module"])
        #expect(map.modules[1].description.hasSuffix("\n  decides on Audit\n  decides on changes of Shop.State"))
        #expect(map.untaken == ["Audit"])
        #expect(map.description.hasSuffix("No saga or flow takes Audit"))
    }

    @Test("an effect of an instance that a module around it hears is taken if a saga takes it in either place")
    func effectsOfInstances() async throws {
        let store = try await Relux.Store { Desk() }
        let closed = await store.map().untaken

        await store.dispatch(Desk.State.Action.opened)

        #expect(closed == [])
        #expect(await store.map().untaken == ["Relux.ChildAction<Page, Page.Left>"])
    }

    @Test("an id can't control the terminal on which the map is printed")
    func escapedID() async throws {
        let store = try await Relux.Store { Room.Module(id: "\u{1B}[2J\u{9B}2J\u{202E}a\nb") }

        let module = try #require(await store.map().modules.first)

        #expect(module.scope == #"Room.Module["\u{1B}[2J\u{009B}2J\u{202E}a\nb"]"#)
    }

    @Test("the flowchart has the rules of a module, with arrows from what they are on")
    func mermaidOfRules() async throws {
        let store = try await Relux.Store { Auditing() }

        let chart = await store.map().mermaid

        #expect(chart.contains("{{\"rules\"}}"))
        #expect(chart.split(separator: "\n").count { $0.contains("==> d") } == 2)
    }

    @Test("the flowchart tells apart what has names that can be mistaken, and states of several instances")
    func mermaidOfInstances() async throws {
        let store = try Relux.Store(modules: (0...12).map { Counting(id: $0) })

        let lines = await store.map().mermaid.split(separator: "\n").map(String.init)

        let arrows = lines.filter { $0.contains("==> d") }.map { String($0.prefix { $0 != "=" }) }
        #expect(Set(arrows).count == 13)
        #expect(Set(lines.filter { $0.contains("[(") }.map { $0.prefix { $0 != "[" } }).count == 26)
    }

    @Test("the flowchart has a node for each state, saga, and action, and an arrow for each reducer and trigger")
    func mermaid() async throws {
        let store = try await Relux.Store { Shop.Module() }

        #expect(
            await store.map().mermaid == """
                flowchart LR
                    subgraph m0["Shop.Module"]
                        s0[("Shop.State")]
                        r1(["Shop.Saga"])
                    end
                    a2["Shop.State.Action"]
                    a3["Shop.Effect"]
                    a2 --> s0
                    a3 -.-> s0
                    a3 ==> r1

                """
        )
    }
}

/// A desk that hears the effects of its page.
private struct Desk: Relux.Module {
    struct State: Relux.State {
        enum Action: Relux.Action { case opened }
        var page: Int?
        var heard = 0
        mutating func reduce(_ action: Action) { page = 1 }
    }

    var states: [any Relux.State] { [State()] }
    var children: [Relux.Children] { [.optional(of: State.self, \.page) { id, _ in Page(id: id) }] }
    var reducers: [Relux.Reducer] {
        [
            Relux.Reducer(of: State.self, on: Relux.ChildAction<Page, Page.Saved>.self) { desk, _ in desk.heard += 1 },
            Relux.Reducer(of: State.self, on: Relux.ChildAction<Page, Page.Left>.self) { desk, _ in desk.heard += 1 },
        ]
    }
    var sagas: [any Relux.Saga] { [Relux.Reaction(to: Relux.ChildAction<Page, Page.Turned>.self) { _, _ in }] }
}

private struct Page: Relux.Module, Identifiable {
    struct Saved: Relux.Effect {}
    struct Left: Relux.Effect {}
    struct Turned: Relux.Effect {}
    struct State: Relux.State { var number = 1 }

    let id: Int
    var states: [any Relux.State] { [State()] }
    var reducers: [Relux.Reducer] {
        [Relux.Reducer(of: State.self, on: Turned.self) { page, _ in page.number += 1 }]
    }
    var sagas: [any Relux.Saga] { [Relux.Reaction(to: Saved.self) { _, _ in }] }
}

private enum Audit: Relux.Effect { case checked }

private struct Auditing: Relux.Module {
    var dependencies: [any Relux.Module] { [Shop.Module()] }
    var reducers: [Relux.Reducer] {
        [Relux.Reducer(of: Shop.State.self, on: Audit.self) { state, _ in state.note = "checked" }]
    }
    var rules: [Relux.Rule] {
        [
            Relux.Rule(on: Audit.self) { _, _ in [] },
            Relux.Rule(onChangeOf: Shop.State.self, \.note) { _, _, _ in [] },
        ]
    }
    var children: [Relux.Children] { [.optional(of: Shop.State.self, \.note) { id, _ in Room.Module(id: id) }] }
}

/// Has states whose names differ in a number, and a rule on one of them.
private struct Counting: Relux.Module, Identifiable {
    struct Form: Relux.State {
        typealias Action = Never
        var text = ""
    }
    struct Form1: Relux.State { typealias Action = Never }

    let id: Int
    var states: [any Relux.State] { [Form(), Form1()] }
    var rules: [Relux.Rule] { [Relux.Rule(onChangeOf: Form.self, \.text) { _, _, _ in [] }] }
}
