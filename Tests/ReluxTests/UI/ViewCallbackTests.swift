import Relux
import TestFixtures
import Testing

@Suite("ViewCallback", .timeLimit(.minutes(10)))
struct ViewCallbackTests {
    private typealias ViewCallback = Relux.UI.ViewCallback

    private let trace = Trace<String>()

    @Test("what a body captures without naming it takes no part in identity: rows of a list look alike")
    func silentCaptures() {
        let callbacks = [1, 2].map { id in ViewCallback<String> { _ in _ = id } }

        #expect(callbacks[0] == callbacks[1])
        #expect(callbacks[0].hashValue == callbacks[1].hashValue)
    }

    @Test("a named capture tells rows apart that are made on one line, and so does the store that is named")
    func namedCaptures() {
        let (one, other) = (Relux.Store(), Relux.Store())
        let dispatchers: [Relux.Dispatcher] = [.none, one.dispatcher, other.dispatcher]
        let renames = dispatchers.map { dispatcher in
            [1, 2, 1].map { id in ViewCallback<String>(capturing: id, to: dispatcher) { _, _ in } }
        }

        for rename in renames {
            #expect(rename[0] != rename[1])
            #expect(rename[0] == rename[2])
        }
        #expect(Set(renames.joined().map(\.id)).count == 6)
        #expect(Set(renames.map { $0[0] }).count == 3)
    }

    @Test("captures of different types differ even where their values look alike")
    func capturedTypes() {
        func callback(_ captured: some Hashable & Sendable) -> ViewCallback<Int> {
            ViewCallback(capturing: captured) { _, _ in }
        }

        #expect(callback(1) != callback(1.0))
        #expect(callback(1) != callback(UInt8(1)))
        #expect(callback(1) == callback(1))
    }

    @Test("callbacks made in a loop are the same, those of another line or column aren't")
    func callSites() {
        var looped: [ViewCallback<Void>] = []
        for _ in 0..<3 { looped.append(ViewCallback {}) }
        let (first, second) = (ViewCallback {}, ViewCallback {})

        #expect(Set(looped).count == 1)
        #expect(first != second)
        #expect(first != looped[0])
    }

    @Test("a callback that sends is identified by the action's value and the store, wherever it is made")
    func sending() async throws {
        let store = try await Relux.Store { Log.Module() }
        let other = Relux.Store()

        let one = ViewCallback(sending: Log.Action.add("a"), to: store.dispatcher)
        let same = ViewCallback(sending: Log.Action.add("a"), to: store.dispatcher)
        let otherAction = ViewCallback(sending: Log.Action.add("b"), to: store.dispatcher)
        let otherStore = ViewCallback(sending: Log.Action.add("a"), to: other.dispatcher)

        #expect(one == same)
        #expect(one != otherAction)
        #expect(one != otherStore)
        #expect(Set([one, otherAction, otherStore].map(\.hashValue)).count == 3)
    }

    @Test("calling awaits the body, with none, one or several arguments, with which a callback is also fired")
    func calling() async {
        let none = ViewCallback { trace.note("none") }
        let one = ViewCallback<Int> { trace.note("\($0)") }
        let two = ViewCallback<(Int, String)> { number, text in trace.note("\(number) \(text)") }
        let three = ViewCallback<(Int, String, Bool)> { trace.note("\($0.0) \($0.1) \($0.2)") }
        let captured = ViewCallback<Void>(capturing: "id") { id, _ in trace.note(id) }

        await none()
        await one(1)
        await two(2, "two")
        await three(3, "three", true)
        await captured()
        let called = trace.entries
        two.fire(4, "four")
        three.fire(5, "five", false)

        #expect(called == ["none", "1", "2 two", "3 three true", "id"])
        #expect(await trace.entries(atLeast: 7).suffix(2) == ["4 four", "5 five false"])
    }

    @Test("a mapped callback is called with what the transform makes, and is another one")
    func mapping() async {
        let text = ViewCallback(capturing: 7) { id, text in trace.note("\(id) \(text)") } as ViewCallback<String>

        let numbers = [1, 2, 1].map { factor -> ViewCallback<Int> in
            text.map(capturing: factor) { factor, number in "\(factor * number)" }
        }
        let plain = text.map { (flag: Bool) in flag ? "on" : "off" }
        await numbers[1](21)
        await plain(true)

        #expect(trace.entries == ["7 42", "7 on"])
        #expect(numbers[0] != numbers[1])
        #expect(numbers[0] == numbers[2])
        #expect(text.map { (flag: Bool) in "\(flag)" } != plain)
    }

    @Test("a callback that does nothing does nothing, and equals its like")
    func noop() async {
        let callback = ViewCallback<Int>.noop

        await callback(1)
        callback.fire(1)

        #expect(callback == .noop)
        #expect(callback.map { (text: String) in text.count } != .noop)
    }

    /// An effect whose reducer notes it.
    private struct Noted: Relux.Effect {
        let text: String
    }

    @Test("fired actions are reduced in the order of the taps, whatever form the callbacks and their first verbs have")
    func firing() async throws {
        for _ in 0..<200 {
            let store = try await Relux.Store {
                Part<TagA>(
                    reducers: [.init(of: Log.self, on: Noted.self) { log, noted in log.entries.append(noted.text) }],
                    sagas: [ClosureSaga<Noted> { _, _ in }],
                    dependencies: [Log.Module()]
                )
            }
            let dispatcher = store.dispatcher
            let first = ViewCallback<Int> { await dispatcher.dispatch(Log.Action.add("a\($0)")) }
            let second = ViewCallback<Int> { _ = try? await dispatcher.perform(Noted(text: "b\($0)")) }
            let third = ViewCallback<Int> { tap in await dispatcher.actions { Log.Action.add("c\(tap)") } }
            let values = store.values(of: Log.self, \.entries)

            for tap in 0..<5 {
                first.fire(tap)
                second.fire(tap)
                third.fire(tap)
            }
            let order = await values.first { $0.count == 15 }

            #expect(order == (0..<5).flatMap { ["a\($0)", "b\($0)", "c\($0)"] })
        }
    }

    @Test("a fired body that waits doesn't keep the next ones waiting")
    func firingWhileWaiting() async {
        let gate = Gate()
        let slow = ViewCallback {
            await gate.pass()
            trace.note("slow")
        }
        let quick = ViewCallback { trace.note("quick") }

        slow.fire()
        quick.fire()
        await trace.entries(atLeast: 1)
        gate.open()

        #expect(await trace.entries(atLeast: 2) == ["quick", "slow"])
    }

    @Test("fired sends are in order with each other and before what the task does next")
    func firingSends() async throws {
        let store = try await Relux.Store { Log.Module() }

        for number in 0..<100 {
            ViewCallback(sending: Log.Action.add("\(number)"), to: store.dispatcher).fire()
        }

        #expect(try await store.state(of: Log.self).entries == (0..<100).map(String.init))
    }
}
