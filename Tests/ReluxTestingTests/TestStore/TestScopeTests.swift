import Relux
import ReluxTesting
import Testing

@Suite("TestStore.Scope", .timeLimit(.minutes(10)))
struct TestScopeTests {
    enum Row {
        struct State: Relux.State {
            var title = ""
            var visits = 0

            enum Action: Relux.Action, Equatable { case named(String), visited }

            mutating func reduce(_ action: Action) {
                switch action {
                case .named(let title): self.title = title
                case .visited: visits += 1
                }
            }
        }

        struct Load: Relux.Effect {}

        struct Loader: Relux.Saga {
            let id: Int

            func run(_ trigger: Load, in context: Relux.SagaContext) async throws {
                try await context.sleep(for: .seconds(1))
                await context.dispatch(State.Action.named("row \(id)"))
            }
        }

        struct Module: Relux.Module, Identifiable {
            let id: Int
            var visits = 0
            var states: [any Relux.State] { [State(visits: visits)] }
            var sagas: [any Relux.Saga] { [Loader(id: id)] }
            var reducers: [Relux.Reducer] {
                [Relux.Reducer(of: State.self, on: Clear.self) { state, _ in state.visits = 0 }]
            }
        }

        struct Clear: Relux.Action {}
    }

    enum List {
        struct State: Relux.State {
            var rows: [Int] = []
            var visits = 0

            struct Action: Relux.Action, Equatable { let rows: [Int] }

            mutating func reduce(_ action: Action) { rows = action.rows }
        }

        struct Module: Relux.Module {
            var states: [any Relux.State] { [State()] }
            var children: [Relux.Children] { [.each(of: State.self, \.rows) { Row.Module(id: $0, visits: $1.visits) }] }
            var reducers: [Relux.Reducer] {
                [
                    Relux.Reducer(
                        of: State.self, on: Relux.ChildAction<Row.Module, Row.State.Action>.self
                    ) { list, row in
                        if case .visited = row.action { list.visits += 1 }
                    }
                ]
            }
        }
    }

    private func makeStore() async throws -> TestStore {
        let store = try await TestStore { List.Module() }
        await store.dispatch(List.State.Action(rows: [1, 2])) { (list: inout List.State) in list.rows = [1, 2] }
        return store
    }

    @Test("a step inside an instance states its changes, and those of the scopes around it")
    func steps() async throws {
        let store = try await makeStore()
        let row = store.scope(of: Row.Module.self, id: 1)

        await row.dispatch(Row.State.Action.visited) { (row: inout Row.State) in
            row.visits = 1
        } _: { (list: inout List.State) in
            list.visits = 1
        }
        await row.dispatch(.named("first"), to: Row.State.self) { $0.title = "first" }
        await row.perform(Row.Load())
        await store.advance(by: .seconds(1))
        await row.receive(Row.State.Action.named("row 1")) { (row: inout Row.State) in row.title = "row 1" }
        await store.finish()
    }

    @Test("a step that changes several instances states each of them")
    func several() async throws {
        let store = try await makeStore()
        let rows = [1, 2].map { store.scope(of: Row.Module.self, id: $0) }
        await rows[1].dispatch(Row.State.Action.visited) { (row: inout Row.State) in
            row.visits = 1
        } _: { (list: inout List.State) in
            list.visits = 1
        }

        await rows[0].dispatch(
            Row.State.Action.visited, changing: [rows[0].change { (row: inout Row.State) in row.visits = 1 }]
        ) { (list: inout List.State) in list.visits = 2 }
        await store.finish()
    }

    @Test("a change of another instance that was not stated fails, and the text names the instance")
    func unstated() async throws {
        let issues = await recordedIssues {
            guard let store = try? await makeStore() else { return }
            await store.scope(of: Row.Module.self, id: 2).dispatch(Row.State.Action.visited) {
                (list: inout List.State) in
                list.visits = 1
            }
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Row.State in TestScopeTests.Row.Module[2] changed") == true, "\(issues)")
        #expect(issues.first?.text.contains("visited in TestScopeTests.Row.Module[2]") == true, "\(issues)")
    }

    @Test("an action that another instance takes is not the one that an instance receives")
    func received() async throws {
        let issues = await recordedIssues {
            guard let store = try? await makeStore() else { return }
            await store.scope(of: Row.Module.self, id: 1).perform(Row.Load())
            await store.advance(by: .seconds(1))
            await store.scope(of: Row.Module.self, id: 2).receive(Row.State.Action.named("row 1"))
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(
            issues.first?.text.contains("in TestScopeTests.Row.Module[2] was expected, but this came") == true,
            "\(issues)")
    }

    @Test("instances that appear and disappear need no statement, but their work must be received")
    func appearing() async throws {
        let store = try await makeStore()
        await store.scope(of: Row.Module.self, id: 1).dispatch(Row.Load())

        await store.dispatch(List.State.Action(rows: [2, 3])) { (list: inout List.State) in list.rows = [2, 3] }
        await store.advance(by: .seconds(1))
        await store.finish()
    }

    @Test("an instance that is opened again before its opening was received is compared with its own first values")
    func reopened() async throws {
        let store = try await TestStore { List.Module() }
        let row = store.scope(of: Row.Module.self, id: 1)
        try await store.run { store in
            await store.dispatch(List.State.Action(rows: [1]))
            await store.scope(of: Row.Module.self, id: 1).dispatch(Row.State.Action.visited)
            await store.dispatch(List.State.Action(rows: []))
            await store.dispatch(List.State.Action(rows: [1]))
        }

        await store.receive(List.State.Action(rows: [1]), in: List.State.self) { $0.rows = [1] }
        await row.receive(Row.State.Action.visited) { (row: inout Row.State) in
            row.visits = 1
        } _: { (list: inout List.State) in
            list.visits = 1
        }
        await store.receive(List.State.Action(rows: []), in: List.State.self) { $0.rows = [] }
        await store.receive(List.State.Action(rows: [1]), in: List.State.self) { $0.rows = [1] }

        await store.finish()
    }

    @Test("a change of an instance that was opened again without an action is stated", arguments: [true, false])
    func reopenedWithoutAction(isStated: Bool) async throws {
        let issues = await recordedIssues {
            guard let store = try? await TestStore(modules: { Row.Module(id: 1) }) else { return }
            let row = store.scope(of: Row.Module.self, id: 1)
            await row.dispatch(.visited, to: Row.State.self) { $0.visits = 1 }

            try? await store.run { store in
                await store.unregister(Row.Module.self, id: 1)
                try await store.register(Row.Module(id: 1))
            }
            if isStated { await row.changed { (row: inout Row.State) in row.visits = 0 } }
            await row.dispatch(.visited, to: Row.State.self) { $0.visits = 1 }
            await store.finish()
        }

        #expect(issues.count == (isStated ? 0 : 1), "\(issues)")
        if !isStated {
            let text = issues.first?.text
            #expect(text?.contains("Row.State in TestScopeTests.Row.Module[1] changed") == true, "\(issues)")
        }
    }

    @Test("a change of an instance that was opened again within a step is stated", arguments: [true, false])
    func reopenedWithinStep(isStated: Bool) async throws {
        let issues = await recordedIssues {
            guard let store = try? await makeStore() else { return }
            let row = store.scope(of: Row.Module.self, id: 1)
            await row.dispatch(.named("a"), to: Row.State.self) { $0.title = "a" }

            _ = try? await store.run { store in
                await store.dispatch {
                    List.State.Action(rows: [2])
                    List.State.Action(rows: [1, 2])
                }
            }
            let change = row.change { (row: inout Row.State) in row.title = "" }
            await store.receive(List.State.Action(rows: [2]), changing: isStated ? [change] : [])
            await store.receive(List.State.Action(rows: [1, 2]))
            await store.finish()
        }

        #expect(issues.count == (isStated ? 0 : 1), "\(issues)")
        if !isStated {
            let text = issues.first?.text
            #expect(text?.contains("Row.State in TestScopeTests.Row.Module[1] changed") == true, "\(issues)")
        }
    }

    @Test("a change of an instance that the step removes can't be stated")
    func goneInstance() async throws {
        let issues = await recordedIssues {
            guard let store = try? await makeStore() else { return }
            let change = store.scope(of: Row.Module.self, id: 1).change { (row: inout Row.State) in row.visits = 99 }
            await store.dispatch(List.State.Action(rows: [2]), changing: [change]) { (list: inout List.State) in
                list.rows = [2]
            }
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(
            issues.first?.text.contains(
                "A change of TestScopeTests.Row.State in TestScopeTests.Row.Module[1] was stated, but the state is gone"
            ) == true,
            "\(issues)")
    }

    // MARK: Steps that read well

    @Test("an action of a state is received with its change, in the root and in an instance")
    func receivedByState() async throws {
        let store = try await makeStore()
        let row = store.scope(of: Row.Module.self, id: 1)
        await row.perform(Row.Load())
        await store.advance(by: .seconds(1))

        await row.receive(.named("row 1"), in: Row.State.self) { $0.title = "row 1" }
        try await store.run { store in
            store.send(List.State.Action(rows: [1]))
            store.send(List.State.Action(rows: [1]))
            store.scope(of: Row.Module.self, id: 1).send(Row.State.Action.named("row 1"))
        }
        await store.receive(List.State.Action(rows: [1]), in: List.State.self) { $0.rows = [1] }
        await store.receive(List.State.Action(rows: [1]), in: List.State.self)
        await row.receive(.named("row 1"), in: Row.State.self)

        await store.finish()
    }

    @Test("an action of a state that is received with another change fails at the caller's line")
    func receivedByStateWithOtherChange() async throws {
        let store = try await makeStore()
        let row = store.scope(of: Row.Module.self, id: 1)
        await row.perform(Row.Load())
        await store.advance(by: .seconds(1))

        let issues = await recordedIssues {
            await row.receive(.named("row 1"), in: Row.State.self) { $0.title = "row 2" }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Row.State in TestScopeTests.Row.Module[1] isn't what was stated") == true)
        #expect(issues.first?.location?.line == #line - 5)
        await store.finish()
    }

    @Test("an action of a state that another instance takes is not received")
    func receivedByStateInOther() async throws {
        let store = try await makeStore()
        await store.scope(of: Row.Module.self, id: 1).perform(Row.Load())
        await store.advance(by: .seconds(1))

        let issues = await recordedIssues {
            await store.scope(of: Row.Module.self, id: 2).receive(.named("row 1"), in: Row.State.self) { _ in
                Issue.record("The change of an action that didn't come isn't applied.")
            }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("in TestScopeTests.Row.Module[2] was expected, but this came") == true)
        await store.finish()
    }

    @Test("a scope reads the innermost state, and throws if the instance doesn't exist")
    func statesOfScopes() async throws {
        let store = try await makeStore()
        let row = store.scope(of: Row.Module.self, id: 1)
        await row.dispatch(.named("first"), to: Row.State.self) { $0.title = "first" }

        let own = try await row.state(of: Row.State.self)
        let outer = try await row.state(of: List.State.self)

        #expect(own.title == "first")
        #expect(outer.rows == [1, 2])
        await #expect(throws: Relux.StoreError.self) {
            try await store.scope(of: Row.Module.self, id: 3).state(of: Row.State.self)
        }
        await store.finish()
    }

    @Test("a store knows which of its instances are open, also after they were opened again")
    func openInstances() async throws {
        let store = try await makeStore()
        let row = store.scope(of: Row.Module.self, id: 1)
        let nested = row.scope(of: Row.Module.self, id: 7)

        var answers = [await store.isOpen(row), await store.isOpen(nested)]
        let lease = try await store.run { store in
            try await store.scope(of: Row.Module.self, id: 1).attach(Row.Module(id: 7))
        }
        answers += [await store.isOpen(row), await store.isOpen(nested)]
        await store.dispatch(List.State.Action(rows: [2]), to: List.State.self) { $0.rows = [2] }
        answers += [await store.isOpen(row), await store.isOpen(nested)]
        await store.dispatch(List.State.Action(rows: [1]), to: List.State.self) { $0.rows = [1] }
        answers += [await store.isOpen(row), await store.isOpen(nested)]
        withExtendedLifetime(lease) {}
        let other = try await makeStore()
        let foreign = other.scope(of: Row.Module.self, id: 1)
        answers += [await store.isOpen(row.scope), await store.isOpen(nested.scope), await store.isOpen(foreign)]
        await other.finish()

        #expect(answers == [true, false, true, true, false, false, true, false] + [true, false, false])
        await store.finish()
    }

    @Test("a step in the wrong scope fails at its line, and names the instances that take the action")
    func wrongScope() async throws {
        let store = try await makeStore()

        let line = #line + 1
        let issues = await recordedIssues {
            await store.dispatch(.named("first"), to: Row.State.self) { $0.title = "first" }
            await store.dispatch(Row.Load())
            await store.dispatch(List.State.Action(rows: [1]), to: List.State.self) { $0.rows = [1] }
            await store.dispatch(Row.Clear())
        }
        await store.finish()

        #expect(
            issues.map(\.text) == [
                """
                After #2 TestScopeTests.Row.State.Action.named("first"):

                Nothing takes it in the root, but it is taken in TestScopeTests.Row.Module[1], \
                TestScopeTests.Row.Module[2]. Make the step there, with `scope(of:id:)`.

                A change of TestScopeTests.Row.State was stated, but no registered module owns that state.
                """,
                """
                After #3 TestScopeTests.Row.Load():

                Nothing takes it in the root, but it is taken in TestScopeTests.Row.Module[1], \
                TestScopeTests.Row.Module[2]. Make the step there, with `scope(of:id:)`.
                """,
                """
                After #5 TestScopeTests.Row.Clear():

                Nothing takes it in the root, but it is taken in TestScopeTests.Row.Module[1]. Make the step there, \
                with `scope(of:id:)`.
                """,
            ]
        )
        #expect(issues.map(\.location?.line) == [line + 1, line + 2, line + 4])
    }

    @Test("an effect that is performed in the wrong scope names the instances if nobody reads its error")
    func performedInWrongScope() async throws {
        let store = try await makeStore()

        let read = await store.perform(Row.Load())
        await #expect(throws: Relux.EffectError.self) { try await read.output() }
        await store.perform(Row.Load())
        let issues = await recordedIssues { await store.finish() }

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("Nobody received the error of TestScopeTests.Row.Load()") == true)
        #expect(issues.first?.text.contains("but it is taken in TestScopeTests.Row.Module[1]") == true, "\(issues)")
    }

    @Test("a step in the wrong scope passes if the test expects a refusal and states no change")
    func expectedWrongScope() async throws {
        let store = try await makeStore()
        await store.expectRefusal()

        await store.dispatch(Row.Load())

        await store.finish()
    }

    @Test("a step whose own action is refused passes if the test expects a refusal, and must change nothing")
    func refused() async throws {
        let store = try await makeStore()
        let gone = store.scope(of: Row.Module.self, id: 3)
        await store.expectRefusal()

        await gone.dispatch(Row.State.Action.visited)
        await store.dispatch(Relux.ChildAction(Row.Module.self, id: 3, Row.State.Action.visited))
        let issues = await recordedIssues {
            await gone.dispatch(Row.State.Action.visited) { (list: inout List.State) in list.visits = 1 }
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.hasPrefix("TestScopeTests.Row.State.Action.visited was refused:") == true)
        await store.finish()
    }
}
