import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Failures of a test store", .timeLimit(.minutes(10)))
struct TestStoreFailureTests {
    @Test("a change that isn't the stated one fails at the caller's line, and shows the parts that differ")
    func wrongChange() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        let line = Shared(0)

        let issues = await recordedIssues {
            line.value = #line + 1
            await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "b" }
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 Finder.Find(query: "a"):

                Finder.State isn't what was stated (- expected, + actual):

                  Finder.State(
                -     query: "b"
                +     query: "a"
                      … (2 unchanged)
                  )
                """
            ]
        )
        #expect(issues.map(\.location?.line) == [line.value])
        #expect(issues.first?.location?.fileID == "ReluxTestingTests/TestStoreFailureTests.swift")
        await store.finishQuietly()
    }

    @Test("a change of a state that the same step has added fails as well")
    func unstatedChangesOfAddedStates() async throws {
        let store = try await TestStore { Drawer.Module() }

        let issues = await recordedIssues {
            await store.dispatch(Drawer.State.Action.open(1)) { (state: inout Drawer.State) in state.open = 1 }
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 Drawer.State.Action.open(1):

                Drawer.Slip in Drawer.SlipModule[1] changed, and no change of it was stated (- expected, + actual):

                  Drawer.Slip(
                -     text: "blank"
                +     text: "new"
                  )
                """
            ]
        )
        await store.finishQuietly()
    }

    @Test("a stated change of a state that the same step has added starts from its first value")
    func statedChangesOfAddedStates() async throws {
        let store = try await TestStore { Drawer.Module() }
        let slip = store.scope(of: Drawer.SlipModule.self, id: 1)

        let change = slip.change { (state: inout Drawer.Slip) in
            #expect(state.text == "blank")
            state.text = "new"
        }
        await store.dispatch(Drawer.State.Action.open(1), changing: [change]) { (state: inout Drawer.State) in
            state.open = 1
        }
        await slip.receive(Drawer.Slip.Action.write("new"))

        await store.finish()
    }

    @Test("a change that wasn't stated fails, even next to a stated one")
    func unstatedChanges() async throws {
        let store = try await TestStore {
            Finder.Module(service: PromptFinder())
            Tally.Module()
        }

        let issues = await recordedIssues {
            await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }
            await store.receive(Finder.State.Action.answered("a!"))
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 Finder.Find(query: "a"):

                Tally.State changed, and no change of it was stated (- expected, + actual):

                  Tally.State(
                -     count: 0
                +     count: 1
                  )
                """,
                """
                After #2 Finder.State.Action.answered("a!") from Finder.Saga #1:

                Finder.State changed, and no change of it was stated (- expected, + actual):

                  Finder.State(
                      … (1 unchanged)
                -     answer: nil
                +     answer: Optional("a!")
                      … (1 unchanged)
                  )
                """,
            ]
        )
        await store.finishQuietly()
    }

    @Test("a stated change that doesn't happen fails, even without exhaustivity", arguments: [true, false])
    func missingChange(isExhaustive: Bool) async throws {
        let store = try await TestStore(exhaustivity: isExhaustive ? .on : .off) {
            Finder.Module(service: PromptFinder())
        }

        let issues = await recordedIssues {
            await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in
                state.hasFailed = true
                state.query = "a"
            }
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 Finder.State.Action.failed:

                Finder.State isn't what was stated (- expected, + actual):

                  Finder.State(
                -     query: "a"
                +     query: ""
                      … (2 unchanged)
                  )
                """
            ]
        )
        await store.finishQuietly()
    }

    @Test("a stated change of a state that no module owns fails with that reason")
    func missingState() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        let issues = await recordedIssues {
            await store.dispatch(Finder.State.Action.answered("")) { (state: inout Finder.State) in
                state.answer = ""
            } _: { (tally: inout Tally.State) in
                tally.count = 1
            }
        }

        #expect(
            issues.map(\.text) == [
                """
                After #1 Finder.State.Action.answered(""):

                A change of Tally.State was stated, but no registered module owns that state.
                """
            ]
        )
        await store.finishQuietly()
    }

    @Test("a dropped action fails with the reason for the drop")
    func droppedAction() async throws {
        let store = try await TestStore(.init(middleware: [Bouncer()])) { Finder.Module(service: PromptFinder()) }
        let line = #line + 3

        let issues = await recordedIssues {
            await store.dispatch(Finder.State.Action.failed)
        }

        #expect(
            issues.map(\.text) == [
                """
                Finder.State.Action.failed wasn't reduced.
                    A middleware dropped ReluxTestingTests.Finder.State.Action \
                (ReluxTestingTests/TestStoreFailureTests.swift:\(line)): not today
                """
            ]
        )
        await store.finishQuietly()
    }

    @Test("if no action arrives, receiving fails at once and lists the busy runs and the sleepers")
    func nothingCame() async throws {
        let store = try await TestStore { Quiz.Module() }
        let line = #line + 1
        await store.perform(Quiz.Ask(number: 1))
        await store.receive(Quiz.Note.asked(1)) { (state: inout Quiz.State) in state.last = 1 }

        let issues = await recordedIssues {
            await store.receive(Quiz.Note.asked(2))
            await store.receive(Quiz.Note.self, within: .zero)
        }

        #expect(
            issues.map(\.text) == [
                """
                Quiz.Note.asked(2) was expected, but nothing came: nothing can run before the next deadline, in 1 s. \
                `advance(by:)` moves the time.
                    Busy: Quiz.Flow #1 (active), triggered at ReluxTestingTests/TestStoreFailureTests.swift:\(line)
                    Sleeping: Quiz.Flow until 1 s
                """,
                """
                A Quiz.Note was expected, but nothing came, also not within 0 s: nothing can run before the next \
                deadline, in 1 s. `advance(by:)` moves the time.
                    Busy: Quiz.Flow #1 (active), triggered at ReluxTestingTests/TestStoreFailureTests.swift:\(line)
                    Sleeping: Quiz.Flow until 1 s
                """,
            ]
        )
        await store.finishQuietly()
    }

    @Test("if another action arrives, receiving shows how it differs")
    func otherAction() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        let issues = await recordedIssues {
            for wanted in [Finder.State.Action.answered("b!"), .failed] {
                await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in
                    state.query = "a"
                    state.answer = nil
                }
                await store.receive(wanted)
            }
            await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.answer = nil }
            await store.receive(Quiz.Note.self, where: { $0 == .asked(1) })
        }

        #expect(
            issues.map(\.text) == [
                """
                Finder.State.Action.answered("b!") was expected, but this came: #2 \
                Finder.State.Action.answered("a!") from Finder.Saga #1 (- expected, + actual):

                  .answered(
                -     "b!"
                +     "a!"
                  )
                """,
                """
                Finder.State.Action.failed was expected, but this came: #4 \
                Finder.State.Action.answered("a!") from Finder.Saga #2 (- expected, + actual):

                - .failed
                + .answered("a!")
                """,
                """
                A Quiz.Note as described was expected, but this came: #6 \
                Finder.State.Action.answered("a!") from Finder.Saga #3.
                """,
            ]
        )
        await store.finishQuietly()
    }

    @Test("without exhaustivity, the failure of a missing action names those that arrived instead")
    func passedOver() async throws {
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a"))

        let issues = await recordedIssues { await store.receive(Finder.State.Action.failed) }

        #expect(
            issues.map(\.text) == [
                """
                Finder.State.Action.failed was expected, but only this came:
                    #2 Finder.State.Action.answered("a!") from Finder.Saga #1
                And now nothing can run, and no deadline is due.
                    No run is busy, and nobody sleeps.
                """
            ]
        )
    }

    @Test("actions that were not received fail the next step and the end")
    func notReceived() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }

        let issues = await recordedIssues {
            for _ in 0..<2 {
                await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in
                    state.query = "a"
                    state.answer = nil
                }
            }
            await store.finish()
        }

        #expect(
            issues.map(\.text) == [
                """
                1 action had not been received before Finder.Find(query: "a"):
                    #2 Finder.State.Action.answered("a!") from Finder.Saga #1
                """,
                """
                1 action had not been received before the end:
                    #4 Finder.State.Action.answered("a!") from Finder.Saga #2
                """,
            ]
        )
    }

    @Test("the end names the runs that have not ended, even without exhaustivity", arguments: [true, false])
    func busyRuns(isExhaustive: Bool) async throws {
        let gate = Gate()
        let store = try await TestStore(exhaustivity: isExhaustive ? .on : .off) {
            Finder.Module(service: GatedFinder(gate: gate))
        }
        let line = #line + 1
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }

        let issues = await recordedIssues { await store.finish() }
        gate.open()

        #expect(
            issues.map(\.text) == [
                """
                Not every run has ended: nothing can run, and no deadline is due. If a run waits for work that has \
                left the scheduler, wait for it with `within:`.
                    Busy: Finder.Saga #1 (active), triggered at ReluxTestingTests/TestStoreFailureTests.swift:\(line)
                """
            ]
        )
    }

    @Test("changes that are stated without an action are not those of an action that is on its way")
    func changedByAction() async throws {
        let gate = Gate()
        let store = try await TestStore { Finder.Module(service: GatedFinder(gate: gate)) }
        await store.dispatch(Finder.Find(query: "a")) { (state: inout Finder.State) in state.query = "a" }
        await gate.arrivals()

        gate.open()
        let issues = await recordedIssues {
            await store.changed { (state: inout Finder.State) in state.answer = "a!" }
        }
        await store.finish()

        #expect(issues.count == 1)
        #expect(issues.first?.text.contains("answered") == true, "\(issues)")
    }

    @Test("changes made by no action fail the next step and the end")
    func changesWithoutAction() async throws {
        let store = try await TestStore { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in state.hasFailed = true }
        try await store.run { await $0.reset() }

        let issues = await recordedIssues { await store.finish() }
        let later = await recordedIssues {
            await store.changed { (state: inout Finder.State) in state.query = "a" }
        }

        #expect(
            issues.map(\.text) == [
                """
                Before the end, without an action:

                Finder.State changed, and no change of it was stated (- expected, + actual):

                  Finder.State(
                      … (2 unchanged)
                -     hasFailed: true
                +     hasFailed: false
                  )
                """
            ]
        )
        #expect(
            later.map(\.text) == [
                """
                Without an action:

                Finder.State isn't what was stated (- expected, + actual):

                  Finder.State(
                -     query: "a"
                +     query: ""
                      … (2 unchanged)
                  )
                """
            ]
        )
    }

    @Test("a stated change that changes nothing fails")
    func idleChange() async throws {
        let issues = try await recordedIssues {
            let store = try await TestStore { Finder.Module(service: PromptFinder()) }
            await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in state.hasFailed = true }
            await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in state.hasFailed = true }
            await store.finish()
        }

        #expect(
            issues.map(\.text) == [
                """
                After #2 Finder.State.Action.failed:

                The stated change of Finder.State changes nothing. Leave it out.
                """
            ]
        )
    }

    @Test("an exhaustive store that is released without `finish()` fails at the line of its creation")
    func unfinished() async throws {
        let line = Shared(0)
        let issues = try await recordedIssues {
            line.value = #line + 1
            let store = try await TestStore { Finder.Module(service: PromptFinder()) }
            await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in state.hasFailed = true }
        }
        let others = try await recordedIssues {
            let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }
            await store.dispatch(Finder.State.Action.failed)
        }

        #expect(
            issues.map(\.text) == [
                "The test store was released without `finish()`, so what was left over went unnoticed."
            ]
        )
        #expect(issues.map(\.location?.line) == [line.value])
        #expect(others.isEmpty)
    }

    @Test("a store whose test has left something over after `finish()` fails at the line of its creation")
    func leftOver() async throws {
        let line = Shared(0)
        let issues = try await recordedIssues {
            line.value = #line + 1
            let store = try await TestStore { Finder.Module(service: PromptFinder()) }
            await store.finish()
            await store.dispatch(Finder.Find(query: "a"))
        }
        let others = try await recordedIssues {
            let store = try await TestStore { Finder.Module(service: PromptFinder()) }
            await store.finish()
            await store.dispatch(Finder.State.Action.failed) { (state: inout Finder.State) in state.hasFailed = true }
        }

        // The step itself fails, too, as it states no change.
        #expect(
            issues.last?.text.hasPrefix("The test made steps after `finish()`, and these were left over:\n    ") == true
        )
        #expect(issues.last?.location?.line == line.value)
        #expect(others.isEmpty)
    }

    @Test("without exhaustivity, an expected action that an earlier step has skipped is named")
    func skippedAction() async throws {
        let store = try await TestStore(exhaustivity: .off) { Finder.Module(service: PromptFinder()) }
        await store.dispatch(Finder.Find(query: "a"))
        await store.dispatch(Finder.State.Action.failed)

        let issues = await recordedIssues { await store.receive(Finder.State.Action.answered("a!")) }
        await store.finish()

        #expect(issues.count == 1)
        #expect(
            issues.first?.text.hasSuffix(
                "It came before, and a step has received or skipped it: "
                    + "#2 Finder.State.Action.answered(\"a!\") from Finder.Saga #1"
            ) == true,
            "\(issues)")
    }

    @Test("work that never comes to rest fails once, at the line of its step")
    func endlessWork() async throws {
        struct Repeat: Relux.Effect {}
        struct Repeater: Relux.Saga {
            func run(_ trigger: Repeat, in context: Relux.SagaContext) async throws { await context.dispatch(Repeat()) }
        }
        struct Repeating: Relux.Module {
            var sagas: [any Relux.Saga] { [Repeater()] }
        }
        let line = Shared(0)
        let issues = try await recordedIssues {
            let store = try await TestStore { Repeating() }
            line.value = #line + 1
            await store.dispatch(Repeat())
            await store.receive(Repeat.self)
            await store.advance(by: .seconds(1))
            let performance = await store.perform(Repeat())
            _ = try await performance.output()
            await store.finish()
        }

        #expect(issues.count == 1)
        #expect(issues.first?.text.hasPrefix("The store doesn't come to rest") == true)
        #expect(issues.first?.text.contains("Repeat() from TestStoreFailureTests.Repeater #") == true)
        #expect(issues.first?.location?.line == line.value)
    }

    @Test("the output of a performed effect that hasn't ended fails with the list of busy runs")
    func unfinishedPerformance() async throws {
        let store = try await TestStore(exhaustivity: .off) { Quiz.Module() }
        let line = #line + 1
        let asking = await store.perform(Quiz.Ask(number: 1))

        let issues = try await recordedIssues {
            let output = try await asking.output()
            #expect(output == nil)
        }

        #expect(
            issues.map(\.text) == [
                """
                Quiz.Ask(number: 1) hasn't ended: nothing can run before the next deadline, in 1 s. `advance(by:)` \
                moves the time.
                    Busy: Quiz.Flow #1 (active), triggered at ReluxTestingTests/TestStoreFailureTests.swift:\(line)
                    Sleeping: Quiz.Flow until 1 s
                """
            ]
        )
    }
}

extension TestStore {
    /// Ends a test whose failures have been looked at.
    fileprivate func finishQuietly() async {
        _ = await recordedIssues { await finish() }
    }
}

private struct Bouncer: Relux.Middleware {
    func intercept(_ action: any Relux.Action, _ reader: borrowing Relux.StateReader) -> Relux.Interception {
        .drop(reason: "not today")
    }
}
