import Foundation
import ReluxTesting
import Testing

@testable import Relux

@Suite("ConsoleLogger")
struct ConsoleLoggerTests {
    private let site = Relux.CallSite(fileID: "App/Notes.swift", line: 12)
    private let lines = Trace<String>()

    private var logger: Relux.ConsoleLogger {
        Relux.ConsoleLogger { [lines] line in lines.note(line) }
    }

    private func run(_ id: UInt64, _ kind: Relux.RunRecord.Kind = .saga) -> Relux.RunRecord {
        Relux.RunRecord(id: id, kind: kind, saga: WorkSaga.self, trigger: Work(), callSite: site)
    }

    private func record(_ action: any Relux.Action, cause: Relux.RunRecord? = nil) -> Relux.ActionRecord {
        Relux.ActionRecord(
            sequence: 7, action: action, callSite: site,
            Reduction(
                of: [Log.self], from: cause.map { RunHandle($0, Core(.init())) },
                StoreClock(now: { .milliseconds(1500) }, sleepOnce: { _ in })
            )
        )
    }

    @Test("the line of a reduced action contains its number, time, action, call site, and cause")
    func actions() {
        logger.actionReduced(record(Log.Action.add("milk")))
        logger.actionReduced(record(Work(name: "load"), cause: run(4)))

        #expect(
            lines.entries == [
                "relux: #7 1.5 s Log.Action add(\"milk\") (App/Notes.swift:12)\n",
                "relux: #7 1.5 s Work Work(name: \"load\") (App/Notes.swift:12) from WorkSaga #4\n",
            ]
        )
    }

    @Test("an action of a generic state includes the name of the state")
    func genericActions() {
        logger.actionReduced(record(Relux.Navigation.Stack<Int>.Action.push(7)))

        #expect(lines.entries == ["relux: #7 1.5 s Relux.Navigation.Stack<Int>.Action push(7) (App/Notes.swift:12)\n"])
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

        #expect(
            lines.entries == [
                "relux: WorkSaga #4 started\n",
                "relux: WorkSaga #4 finished\n",
                "relux: WorkSaga #4 failed: TestFailure(name: \"failure\")\n",
                "relux: WorkSaga #4 superseded, then threw TestFailure(name: \"late\")\n",
                "relux: timeout in WorkSaga #5 cancelled\n",
                "relux: WorkSaga #6 dropped\n",
            ]
        )
    }

    @Test("each refusal, module, and reset is logged on one line")
    func others() {
        logger.refused(
            Relux.Refusal(reason: .droppedByMiddleware(reason: "no"), action: Work(), callSite: site, time: .zero)
        )
        logger.moduleRegistered(Log.Module.self, in: nil)
        logger.moduleUnregistered(SagaModule.self, in: nil)
        logger.statesReset([Log.self, Ledger.State.self])

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

    @Test("control characters are escaped, so one record is one line and can't contain terminal commands")
    func controls() {
        logger.actionReduced(record(Raw(description: "a\nb\r\tc\u{1B}[31md\u{7F}\u{85}\u{9B}e\u{0}é→🙂")))

        #expect(
            lines.entries == [
                "relux: #7 1.5 s ConsoleLoggerTests.Raw a\\nb\\r\\tc\\u{1B}[31md\\u{7F}\\u{0085}\\u{009B}e\\0é→🙂 "
                    + "(App/Notes.swift:12)\n"
            ]
        )
    }

    @Test("separators and direction overrides are escaped, so a line reads as it was logged")
    func separatorsAndDirections() {
        logger.actionReduced(record(Raw(description: "a\u{2028}b\u{2029}c\u{202E}d\u{2066}e\u{2069}\u{200D}f")))

        #expect(
            lines.entries == [
                "relux: #7 1.5 s ConsoleLoggerTests.Raw "
                    + "a\\u{2028}b\\u{2029}c\\u{202E}d\\u{2066}e\\u{2069}\u{200D}f (App/Notes.swift:12)\n"
            ]
        )
    }

    @Test("a store reports everything to the logger, in order")
    func inAStore() async throws {
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [logger])) {
            WorkSaga { _, context in await context.dispatch(Log.Action.add("x")) }.module()
        }

        await store.dispatch(Work(), fileID: "App/Work.swift", line: 3).finished()
        await store.reset()
        await store.unregister(SagaModule.self)

        let texts = lines.entries.map { $0.dropFirst(7).dropLast() }
        #expect(texts.count == 9)
        #expect(texts[0] == "registered Log.Module")
        #expect(texts[1] == "registered SagaModule")
        #expect(texts[2] == "#1 0 s Work Work(name: \"work\") (App/Work.swift:3)")
        #expect(texts[3] == "WorkSaga #1 started")
        #expect(texts[4].hasPrefix("#2 0 s Log.Action add(\"x\") (ReluxTests/ConsoleLoggerTests.swift:"))
        #expect(texts[4].hasSuffix(") from WorkSaga #1"))
        #expect(texts[5] == "WorkSaga #1 finished")
        #expect(texts[6] == "reset Log")
        #expect(texts[7] == "unregistered SagaModule")
        #expect(texts[8] == "unregistered Log.Module")
    }

    @Test("A text is written completely to a pipe that takes only a part of it at a time", arguments: [true, false])
    func pipe(isNonBlocking: Bool) async throws {
        let pipe = Pipe()
        let file = pipe.fileHandleForWriting.fileDescriptor
        if isNonBlocking { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK) }
        // More than a pipe holds.
        let text = (0..<100_000).map { "line \($0)\n" }.joined()

        Thread.detachNewThread {
            writeAll(text, to: file)
            try? pipe.fileHandleForWriting.close()
        }

        #expect(try pipe.fileHandleForReading.readToEnd() == Data(text.utf8))
    }

    @Test("A pipe that nobody reads any more is given up")
    func closedPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()

        writeAll("text", to: pipe.fileHandleForWriting.fileDescriptor)
    }
}
