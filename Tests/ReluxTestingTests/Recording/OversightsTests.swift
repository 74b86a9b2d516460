import Relux
import ReluxTesting
import Testing

@Suite("Nothing goes unnoticed", .timeLimit(.minutes(10)))
struct OversightsTests {
    /// What goes wrong, and what the text must contain; nil if nothing goes wrong.
    static let cases: [(action: any Relux.Effect, text: String?)] = [
        (Trouble.Fail(), "Nobody received the error of Trouble.FailSaga #1"),
        (Trouble.Lose(way: .effect), "No saga or flow handles ReluxTestingTests.Trouble.Lost"),
        (Trouble.Lose(way: .action), "Nothing handles ReluxTestingTests.Trouble.Unheard"),
        (Trouble.Lose(way: .actionToInstance), "There is no Trouble.Room[7]"),
        (Trouble.Lose(way: .effectToInstance), "There is no Trouble.Room[7]"),
        (Trouble.Lose(way: .insideStore), "was dispatched synchronously inside a store"),
        (Trouble.WaitForLater(way: .finished), "which can only end after it"),
        (Trouble.WaitForLater(way: .perform), nil),
        (Trouble.PerformMissing(catchesError: true), nil),
        (Trouble.PerformMissing(catchesError: false), "Nobody received the error of Trouble.PerformMissingSaga #1"),
        (Trouble.PerformLost(catchesError: true), nil),
        (Trouble.PerformLost(catchesError: false), "Nobody received the error of Trouble.PerformLostSaga #1"),
        (Trouble.PerformFail(catchesError: true), nil),
        (Trouble.PerformFail(catchesError: false), "Nobody received the error of Trouble.PerformFailSaga #1"),
        (Trouble.WriteLate(), "is no longer active"),
    ]

    // MARK: TestStore

    @Test("a test store fails at its end on what the test has neither received nor expected", arguments: cases.indices)
    func testStore(index: Int) async throws {
        let (action, expected) = Self.cases[index]
        let line = Shared(0)

        for exhaustivity in [TestStore.Exhaustivity.on, .off] {
            let issues = try await recordedIssues {
                let store = try await TestStore(exhaustivity: exhaustivity) { Trouble.Module() }
                try await store.run { await Self.dispatch(action, to: $0) }
                await store.skipAll(action)
                line.value = #line + 1
                await store.finish()
            }

            #expect(issues.count == (expected == nil ? 0 : 1))
            if let expected {
                #expect(issues.first?.text.hasPrefix("Something went unnoticed:") == true)
                #expect(issues.first?.text.contains(expected) == true)
                #expect(issues.first?.text.contains("state it before: `expect") == true)
                #expect(issues.first?.location?.line == line.value)
            }
        }
    }

    @Test("what a test store expects doesn't fail it")
    func expectedByStore() async throws {
        let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }
        await store.expectFailure(Trouble.Failure.self)
        await store.expectRefusal()

        for (action, _) in Self.cases where !(action is Trouble.PerformLost || action is Trouble.PerformMissing) {
            try await store.run { await Self.dispatch(action, to: $0) }
        }

        await store.finish()
    }

    @Test("an expectation covers neither what happened before, nor other errors")
    func otherErrors() async throws {
        let issues = try await recordedIssues {
            let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }
            await store.dispatch(Trouble.Fail())
            await store.expectFailure(Trouble.Failure.self)
            await store.expectFailure(Trouble.OtherFailure.self)
            await store.dispatch(Trouble.Fail())
            await store.finish()
        }

        #expect(issues.count == 2)
        #expect(issues.first?.text.components(separatedBy: "Nobody received").count == 2)
        #expect(
            issues.last?.text
                == "`expectFailure(Trouble.OtherFailure.self)` was stated, but nothing of the kind has happened."
        )
    }

    @Test("an expectation of a refusal that never comes fails at its own line")
    func unmetRefusal() async throws {
        let line = Shared(0)
        let issues = try await recordedIssues {
            let store = try await TestStore { Trouble.Module() }
            line.value = #line + 1
            await store.expectRefusal()
            await store.finish()
        }

        #expect(issues.map(\.text) == ["`expectRefusal()` was stated, but nothing of the kind has happened."])
        #expect(issues.map(\.location?.line) == [line.value])
    }

    @Test("an expected refusal also covers what the test itself performs")
    func expectedRefusalOfPerformance() async throws {
        let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }
        await store.expectRefusal()

        await store.perform(Trouble.Lost())
        await store.scope(of: Trouble.Room.self, id: 7).perform(Trouble.Lost())

        await store.finish()
    }

    @Test("an expectation of a refusal isn't met by a call that has no effect")
    func otherRefusal() async throws {
        let issues = try await recordedIssues {
            let store = try await TestStore { Trouble.Module() }
            await store.expectRefusal()
            try await store.run { await $0.cancel(Finder.Saga.self) }
            await store.finish()
        }

        #expect(issues.map(\.text) == ["`expectRefusal()` was stated, but nothing of the kind has happened."])
    }

    @Test("a child of a state that is left out doesn't go unnoticed, unless the test expects it")
    func children() async throws {
        struct Rooms: Relux.State, Hashable {
            var ids: [Int] = []
            enum Action: Relux.Action { case open([Int]) }
            mutating func reduce(_ action: Action) { if case .open(let ids) = action { self.ids = ids } }
        }
        struct House: Relux.Module {
            var states: [any Relux.State] { [Rooms()] }
            // Room 9 gets another id.
            var children: [Relux.Children] {
                [.each(of: Rooms.self, \.ids) { id, _ in Trouble.Room(id: id == 9 ? 0 : id) }]
            }
        }
        for (ids, text) in [([1, 1], "Trouble.Room[1] more than once"), ([9], "A child of a state was left out")] {
            let issues = try await recordedIssues {
                let store = try await TestStore { House() }
                await store.dispatch(.open(ids), to: Rooms.self) { $0.ids = ids }
                await store.finish()
            }
            #expect(issues.count == 1)
            #expect(issues.first?.text.contains(text) == true, "\(issues)")

            let store = try await TestStore { House() }
            await store.expectRefusal()
            await store.dispatch(.open(ids), to: Rooms.self) { $0.ids = ids }
            await store.finish()
        }
    }

    @Test("a performed effect that a middleware replaces by one without the output doesn't go unnoticed")
    func replacement() async throws {
        struct Swap: Relux.Middleware {
            func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
                action is Trouble.Fail ? .replace(with: Trouble.Unheard()) : .proceed
            }
        }
        for isExpected in [false, true] {
            let issues = try await recordedIssues {
                let store = try await TestStore(.init(middleware: [Swap()]), exhaustivity: .off) { Trouble.Module() }
                if isExpected { await store.expectRefusal() }
                await store.dispatch(Trouble.PerformFail(catchesError: false))
                await store.finish()
            }
            #expect(issues.map { $0.text.contains("doesn't promise the same output") } == (isExpected ? [] : [true]))
        }
    }

    @Test("an error that `perform` threw counts as received once the test has asked for the output")
    func performance() async throws {
        let ignored = try await recordedIssues {
            let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }
            await store.perform(Trouble.Fail())
            await store.perform(Trouble.Lost())
            await store.finish()
        }
        let asked = try await recordedIssues {
            let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }
            let failing = await store.perform(Trouble.Fail())
            await #expect(throws: Relux.EffectError.self) { try await failing.output() }
            await store.finish()
        }

        #expect(ignored.count == 1)
        #expect(ignored.first?.text.components(separatedBy: "which the test performed at").count == 3)
        #expect(asked.isEmpty)
    }

    @Test("a cancelled child that its parent lets through is an outcome")
    func cancelledChild() async throws {
        let store = try await TestStore(exhaustivity: .off) { Trouble.Module() }

        await store.dispatch(Trouble.PerformCancelled())
        try await store.run { await $0.cancel(Trouble.WaitSaga.self) }

        await store.finish()
        #expect(store.recorder.runs(of: Trouble.PerformCancelledSaga.self).last?.outcome?.description == "cancelled")
    }

    // MARK: Simulation

    @Test("a seed fails on the same, apart from a refused write and a missing instance", arguments: cases.indices)
    func simulation(index: Int) async {
        let (action, expected) = Self.cases[index]
        let isRefusedWrite =
            action is Trouble.WriteLate
            || [.actionToInstance, .effectToInstance].contains((action as? Trouble.Lose)?.way)

        let report = await Simulation.search(seeds: 0..<3) { world in
            let store = try await world.store { Trouble.Module() }
            await Self.dispatch(action, to: store)
        }

        #expect((report.failure == nil) == (expected == nil || isRefusedWrite))
        if let expected, !isRefusedWrite { #expect(report.failure?.failure?.contains(expected) == true) }
    }

    @Test("a refused write fails a seed that forbids refusals, and is otherwise part of its trace")
    func refusedWrite() async {
        let trace = await Simulation.replay(seed: 0) { world in
            let store = try await world.store { Trouble.Module() }
            await store.dispatch(Trouble.WriteLate())
        }.trace
        let report = await Simulation.search(seeds: 0..<3) { world in
            world.forbidRefusals()
            let store = try await world.store { Trouble.Module() }
            await store.dispatch(Trouble.WriteLate())
        }

        #expect(trace.contains { $0.contains("is no longer active") })
        #expect(report.failure?.failure?.contains("is no longer active") == true)
    }

    @Test("what a scenario expects doesn't fail its seed, whether or not it happens")
    func expectedByWorld() async {
        let report = await Simulation.search(seeds: 0..<10) { world in
            world.expectFailure(Trouble.Failure.self)
            world.expectRefusal()
            let store = try await world.store { Trouble.Module() }
            for (action, _) in Self.cases
            where !(action is Trouble.PerformLost || action is Trouble.PerformMissing) && world.fails(0.5) {
                await Self.dispatch(action, to: store)
            }
        }

        #expect(report.failure == nil)
    }

    @Test("a failed `#require` in a saga is reported once")
    func failedRequirement() async {
        let report = await Simulation.search(seeds: 0..<1) { world in
            let store = try await world.store { Finder.Module(service: DemandingFinder()) }
            await store.dispatch(Finder.Find(query: "a"))
        }

        #expect(report.failure?.failure?.contains("Nobody received") == false)
        #expect(report.failure?.failure?.contains("no answer") == true)
    }

    @Test("so is one in an effect that the saga performs")
    func failedRequirementBelow() async throws {
        let saga = Relux.Reaction(to: Tray.Answer.self) { answer, context in
            try await context.perform(Finder.Find(query: "\(answer.item)"))
        }
        let issues = try await recordedIssues {
            let store = try await TestStore(exhaustivity: .off) {
                Finder.Module(service: DemandingFinder())
                Reacting(sagas: [saga])
            }
            await store.dispatch(Tray.Answer(item: 1))
            await store.finish()
        }

        #expect(issues.count == 1, "\(issues)")
    }

    /// Opens the existential, because actions are routed by their exact type.
    private static func dispatch(_ action: some Relux.Action, to store: Relux.Store) async {
        await store.dispatch(action)
    }
}

extension TestStore {
    /// Receives whatever an action of `Trouble` triggers.
    fileprivate func skipAll(_ action: any Relux.Action) async {
        guard exhaustivity == .on else { return }
        for record in recorder.records { _ = await receive(record) }
    }

    private func receive(_ record: Relux.ActionRecord) async {
        func open<A: Relux.Action>(_ action: A) async { await receive(A.self) }
        await open(record.action)
    }
}

private struct Reacting: Relux.Module {
    let sagas: [any Relux.Saga]
}

private struct DemandingFinder: FinderService {
    func answer(to query: String) async throws -> String {
        try #require(nil as String?, "no answer")
    }
}
