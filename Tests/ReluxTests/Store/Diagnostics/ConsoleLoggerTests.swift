import Relux
import ReluxTesting
import Testing

@Suite("ConsoleLogger", .timeLimit(.minutes(10)))
struct ConsoleLoggerTests {
    private let site = Relux.CallSite(fileID: "App/Notes.swift", line: 12)
    private let lines = Trace<String>()

    private var logger: Relux.ConsoleLogger {
        Relux.ConsoleLogger { [lines] line in lines.note(line) }
    }

    private func run(_ id: UInt64, _ kind: Relux.RunRecord.Kind = .saga) -> Relux.RunRecord {
        MadeRecord.run(id, kind, at: site)
    }

    /// Logs an action that a module reduces as its store's first, 1.5 s after the store was created.
    private func log(_ action: some Relux.Action, _ module: some Relux.Module) async throws {
        let clock = ManualClock()
        let store = try await Relux.Store(.init(clock: clock, observers: [logger])) { module }
        await clock.advance(by: .milliseconds(1500))
        await store.dispatch(action, fileID: "App/Notes.swift", line: 12)
        try await store.idle()
    }

    /// The lines about actions.
    private var actionLines: [String] { lines.entries.filter { $0.hasPrefix("relux: #") } }

    @Test("the line of a reduced action contains its number, time, action, call site, and cause")
    func actions() async throws {
        let saga = WorkSaga { work, context in
            await context.dispatch(Log.Action.add(work.name), fileID: "App/Saga.swift", line: 7)
        }

        try await log(Work(name: "load"), saga.module())

        #expect(
            actionLines == [
                "relux: #1 1.5 s Work Work(name: \"load\") (App/Notes.swift:12)\n",
                "relux: #2 1.5 s Log.Action add(\"load\") (App/Saga.swift:7) from WorkSaga #1\n",
            ]
        )
    }

    @Test("an action that a rule has added says which one it follows")
    func rules() async throws {
        struct Ruled: Relux.Module {
            let dependencies: [any Relux.Module] = [Log.Module()]
            let rules = [
                Relux.Rule(on: Log.Action.self) { _, reader in
                    reader[Log.self]?.entries.count == 1 ? [Log.Action.add("b")] : []
                }
            ]
        }

        try await log(Log.Action.add("a"), Ruled())

        #expect(actionLines.last?.hasSuffix(") after #1\n") == true)
    }

    @Test("an action of a generic state includes the name of the state")
    func genericActions() async throws {
        try await log(
            Relux.Navigation.Stack<Int>.Action.push(7), Part<TagA>(states: [Relux.Navigation.Stack<Int>()]))

        #expect(actionLines == ["relux: #1 1.5 s Relux.Navigation.Stack<Int>.Action push(7) (App/Notes.swift:12)\n"])
    }

    @Test("the lines of an instance name it, and a replaced module has a line")
    func instances() async throws {
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [logger])) { Chat.Module(id: "c1") }

        let line = #line + 1
        await store.scope(of: Chat.Module.self, id: "c1").dispatch(Chat.State.Action.sent("Hello"))
        try await store.replace(Chat.Module(id: "c1"))
        await store.unregister(Chat.Module.self, id: "c1")

        let scope = #"in Chat.Module["c1"]"#
        #expect(
            lines.entries == [
                "relux: registered Chat.Module \(scope)\n",
                "relux: #1 0 s Chat.State.Action sent(\"Hello\") (\(#fileID):\(line)) \(scope)\n",
                "relux: replaced Chat.Module \(scope)\n",
                "relux: unregistered Chat.Module \(scope)\n",
            ]
        )
    }

    @Test("starts and ends of runs are logged")
    func runs() {
        logger.runStarted(run(4))
        logger.runEnded(run(4), .finished, lateError: nil)
        logger.runEnded(run(4), .failed(TestFailure()), lateError: nil)
        logger.runEnded(run(4), .superseded, lateError: TestFailure(name: "late"))
        logger.runEnded(run(5, .timeout), .cancelled, lateError: nil)
        logger.runEnded(run(6, .flow), .dropped, lateError: nil)
        // A run's own failure is in the line of its end, which a save doesn't have.
        logger.failureUnreceived(of: run(4), TestFailure())
        logger.failureUnreceived(of: run(7, .save), TestFailure())

        #expect(
            lines.entries == [
                "relux: WorkSaga #4 started\n",
                "relux: WorkSaga #4 finished\n",
                "relux: WorkSaga #4 failed: TestFailure(name: \"failure\")\n",
                "relux: WorkSaga #4 superseded, then threw TestFailure(name: \"late\")\n",
                "relux: timeout in WorkSaga #5 cancelled\n",
                "relux: WorkSaga #6 dropped\n",
                "relux: save of WorkSaga #7 failed: TestFailure(name: \"failure\")\n",
            ]
        )
    }

    @Test("each refusal, module, and reset is logged on one line")
    func others() {
        logger.refused(
            MadeRecord.refusal(.droppedByMiddleware(reason: "no"), Work(), at: site)
        )
        Relux.Store().readNow { states in
            logger.moduleRegistered(Log.Module.self, in: nil, leaving: states)
            logger.moduleUnregistered(SagaModule.self, in: nil)
            logger.statesReset([Log.self, Ledger.State.self], leaving: states)
        }

        #expect(
            lines.entries == [
                "relux: refused: A middleware dropped ReluxTests.Work (App/Notes.swift:12): no\n",
                "relux: registered Log.Module\n",
                "relux: unregistered SagaModule\n",
                "relux: reset Log, Ledger.State\n",
            ]
        )
    }

    struct Raw: Relux.Action, CustomStringConvertible {
        var description: String
    }

    private func log(_ text: String) async throws {
        try await log(
            Raw(description: text),
            Part<TagA>(states: [Log()], reducers: [.init(of: Log.self, on: Raw.self) { _, _ in }]))
    }

    @Test(
        "what would break or reorder a line is escaped: controls, separators, direction overrides and marks",
        arguments: [
            (
                "a\nb\r\tc\u{1B}[31md\u{7F}\u{85}\u{9B}e\u{0}é→🙂",
                #"a\nb\r\tc\u{1B}[31md\u{7F}\u{0085}\u{009B}e\0é→🙂"#
            ),
            (
                "a\u{2028}b\u{2029}c\u{202E}d\u{2066}e\u{2069}\u{200D}f",
                #"a\u{2028}b\u{2029}c\u{202E}d\u{2066}e\u{2069}\#u{200D}f"#
            ),
            ("a\u{61C}b\u{200E}c\u{200F}d", #"a\u{061C}b\u{200E}c\u{200F}d"#),
        ])
    func escapes(text: String, escaped: String) async throws {
        try await log(text)

        #expect(actionLines == ["relux: #1 1.5 s ConsoleLoggerTests.Raw \(escaped) (App/Notes.swift:12)\n"])
    }

    @Test("a line has at most 120 columns, and its payload is cut in the middle")
    func widths() async throws {
        let name = String(repeating: "a", count: 300) + "z"
        let saga = WorkSaga { _, _ in throw TestFailure(name: String(repeating: "日本", count: 100)) }

        try await log(Work(name: name), saga.module())

        #expect(lines.entries.allSatisfy { $0.dropLast().count <= 120 })
        let line = try #require(actionLines.first)
        #expect(line.count == 121)
        #expect(line.hasPrefix("relux: #1 1.5 s Work Work(name: \"aaaa"))
        #expect(line.hasSuffix("aaaz\") (App/Notes.swift:12)\n"))
        #expect(line.contains("a…a"))
        let failure = try #require(lines.entries.first { $0.contains("failed") })
        // Wide characters take two columns each.
        #expect(failure.count < 100)
    }

    /// Other programs wait for such names in the output of a program.
    @Test("the name of a case is whole, however long its payload is")
    func caseNames() async throws {
        for count in [10, 300] {
            let logger = Relux.ConsoleLogger { [lines] in lines.note($0) }
            let store = try await Relux.Store(.init(clock: ManualClock(), observers: [logger])) { Log.Module() }
            await store.dispatch(Log.Action.add(String(repeating: "a", count: count)), line: 12)
        }

        #expect(actionLines.allSatisfy { $0.contains(" Log.Action add(\"aaa") && $0.count <= 121 })
        #expect(actionLines.count == 2)
    }

    @Test("without payloads, a refusal says only the case of its reason")
    func refusalNames() {
        let reason = Relux.Refusal.Reason.notLoaded(.damaged(TestFailure(name: "secret")))

        Relux.ConsoleLogger(.names) { [lines] in lines.note($0) }.refused(MadeRecord.refusal(reason, Work(), at: site))

        #expect(lines.entries == ["relux: refused: Work notLoaded (App/Notes.swift:12)\n"])
    }

    @Test("a line without a payload is cut as well, and nothing is cut in full")
    func longNames() {
        let run = MadeRecord.run(1, .saga, at: site)
        let error = TestFailure(name: String(repeating: "b", count: 300))

        for detail in [Relux.ConsoleLogger.Detail.line, .full, .names] {
            Relux.ConsoleLogger(detail) { [lines] in lines.note($0) }.runEnded(run, .failed(error), lateError: error)
        }

        #expect(
            lines.entries.map(\.count) == [
                121, 683, "relux: WorkSaga #1 failed: TestFailure, then threw TestFailure\n".count,
            ])
    }

    @Test("colours are there on request only, and never in what was logged")
    func colours() async throws {
        let logger = Relux.ConsoleLogger(colored: true) { [lines] in lines.note($0) }

        await Relux.Store().read { logger.moduleRegistered(Log.Module.self, in: nil, leaving: $0) }
        logger.runEnded(run(4), .failed(TestFailure(name: "\u{1B}[31m")), lateError: nil)

        #expect(
            lines.entries == [
                "\u{1B}[2mrelux: \u{1B}[0mregistered \u{1B}[1mLog.Module\u{1B}[0m\n",
                "\u{1B}[2mrelux: \u{1B}[0m\u{1B}[1mWorkSaga #4\u{1B}[0m\u{1B}[31m failed: \u{1B}[0m"
                    + "TestFailure(name: \"\\u{1B}[31m\")\n",
            ]
        )
    }

    @Test("only what concerns the listed modules and types is written")
    func filters() async throws {
        func written(only modules: [any Relux.Module.Type], _ types: [Any.Type] = []) async throws -> [String] {
            let lines = Trace<String>()
            let logger = Relux.ConsoleLogger(.names, only: modules, types: types) { lines.note($0) }
            let store = try await Relux.Store(.init(clock: ManualClock(), observers: [logger])) {
                WorkSaga { _, _ in }.module()
                Chat.Module(id: "c1")
            }
            await store.dispatch(Work(), fileID: "A", line: 1).finished()
            await store.dispatch(Log.Action.add("x"), fileID: "A", line: 2)
            await store.scope(of: Chat.Module.self, id: "c1").dispatch(
                Chat.State.Action.sent("x"), fileID: "A", line: 3)
            return lines.entries.map { String($0.dropFirst(7).dropLast()) }
        }

        #expect(
            try await written(only: [SagaModule.self]) == [
                "registered SagaModule", "#1 0 s Work (A:1)", "WorkSaga #1 started", "WorkSaga #1 finished",
            ])
        #expect(try await written(only: [Log.Module.self]).last == "#2 0 s Log.Action add (A:2)")
        #expect(
            try await written(only: [], [Chat.State.self]) == [
                "#3 0 s Chat.State.Action sent (A:3) in Chat.Module[\"c1\"]"
            ])
        #expect(try await written(only: [Log.Module.self], [WorkSaga.self]).count == 4)
    }

    @Test("what a replacement of a selected module takes is written as well")
    func selectedReplacement() async throws {
        let logger = Relux.ConsoleLogger(.names, only: [Part<TagA>.self]) { [lines] in lines.note($0) }
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [logger])) { Part<TagA>() }

        try await store.replace(Part<TagA>(sagas: [WorkSaga { _, _ in }]))
        await store.dispatch(Work(), fileID: "A", line: 1).finished()

        #expect(
            lines.entries.map { String($0.dropFirst(7).dropLast()) } == [
                "registered Part<TagA>", "replaced Part<TagA>", "#1 0 s Work (A:1)", "WorkSaga #1 started",
                "WorkSaga #1 finished",
            ])
    }
}
