import Relux
import Testing

@Suite("Fired callbacks", .timeLimit(.minutes(10)))
struct FiredCallbacksTests {
    private typealias ViewCallback = Relux.UI.ViewCallback

    /// The first entries of a store's log, in the order in which they were reduced.
    private func entries(_ count: Int, of store: Relux.Store) async -> [String]? {
        await store.values(of: Log.self, \.entries).first { $0.count >= count }
    }

    @Test("a body of the main actor is not overtaken by a plain one fired after it")
    @MainActor
    func mainActorBodies() async throws {
        for _ in 0..<50 {
            let store = try await Relux.Store { Log.Module() }
            let dispatcher = store.dispatcher
            let isolated = ViewCallback<Int>(to: dispatcher) { @MainActor tap in
                await dispatcher.dispatch(Log.Action.add("main \(tap)"))
            }
            let plain = ViewCallback<Int>(to: dispatcher) { tap in
                await dispatcher.dispatch(Log.Action.add("plain \(tap)"))
            }

            // The main actor is busy with this test, so that the isolated bodies have to wait for it.
            for tap in 0..<3 {
                isolated.fire(tap)
                plain.fire(tap)
            }
            let order = await entries(6, of: store)

            #expect(order == (0..<3).flatMap { ["main \($0)", "plain \($0)"] })
        }
    }

    @Test("a body of another actor is not overtaken either, also when it was mapped")
    @Desk
    func actorBodies() async throws {
        for _ in 0..<50 {
            let store = try await Relux.Store { Log.Module() }
            let isolated = ViewCallback<Int>(capturing: store.dispatcher) { @Desk dispatcher, tap in
                await dispatcher.dispatch(Log.Action.add("desk \(tap)"))
            }
            let plain = ViewCallback<Int>(capturing: store.dispatcher) { dispatcher, tap in
                await dispatcher.dispatch(Log.Action.add("plain \(tap)"))
            }

            for tap in 0..<3 {
                isolated.map { Int($0) ?? 0 }.fire("\(tap)")
                plain.fire(tap)
            }
            let order = await entries(6, of: store)

            #expect(order == (0..<3).flatMap { ["desk \($0)", "plain \($0)"] })
        }
    }

    @Test(
        "an action to send keeps its place behind the bodies fired before it to the same store, named or not",
        arguments: [true, false])
    @MainActor
    func sendsBehindBodies(isNamed: Bool) async throws {
        for _ in 0..<50 {
            let store = try await Relux.Store { Log.Module() }
            let dispatcher = store.dispatcher
            let isolated = ViewCallback<Void>(capturing: dispatcher, to: isNamed ? dispatcher : .none) {
                @MainActor dispatcher, _ in
                await dispatcher.dispatch(Log.Action.add("body"))
            }

            isolated.fire()
            ViewCallback(sending: Log.Action.add("value"), to: dispatcher).fire()
            ViewCallback(to: dispatcher, sending: { Log.Action.add("made") }).fire()
            isolated.fire()
            let order = await entries(4, of: store)

            #expect(order == ["body", "value", "made", "body"])
        }
    }

    @Test("a body that hasn't begun delays callbacks of its own store, and no others")
    func separateOrders() async throws {
        let (store, other) = (try await Relux.Store { Log.Module() }, try await Relux.Store { Log.Module() })
        let busy = ViewCallback(to: store.dispatcher) { @Occupied in
            await store.dispatch(Log.Action.add("busy"))
        }
        let next = ViewCallback<Void>(capturing: "next", to: store.dispatcher) { entry, _ in
            await store.dispatch(Log.Action.add(entry))
        }
        let elsewhere = ViewCallback<Void>(capturing: other.dispatcher) { dispatcher, _ in
            await dispatcher.dispatch(Log.Action.add("elsewhere"))
        }
        let unnamed = Trace<String>()

        busy.fire()
        next.fire()
        elsewhere.fire()
        ViewCallback { unnamed.note("begun") }.fire()
        let delayedBySlowStore = await entries(1, of: other)
        await unnamed.entries(atLeast: 1)
        let before = try await store.state(of: Log.self).entries
        Occupied.executor.release()
        let order = await entries(2, of: store)

        #expect(delayedBySlowStore == ["elsewhere"])
        #expect(before == [])
        #expect(order == ["busy", "next"])
    }

    @Test("a body in its order keeps no store alive")
    @MainActor
    func lifetime() async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        weak let released = store
        let dispatcher = try #require(store).dispatcher
        let refusals = Trace<Bool>()
        let isolated = ViewCallback(to: dispatcher) { @MainActor in }
        let last = ViewCallback<Void>(capturing: dispatcher) { dispatcher, _ in
            refusals.note(await dispatcher.dispatch(Log.Action.add("late")).sequence == nil)
        }

        isolated.fire()
        last.fire()
        store = nil
        let isReleased = released == nil

        #expect(isReleased)
        #expect(await refusals.entries(atLeast: 1) == [true])
    }

    @TaskLocal private static var tap = "none"

    @Test("a body has the task-local values of the task that fired it, however long it waits for its turn")
    @MainActor
    func taskLocals() async {
        let taps = Trace<String>()
        let isolated = ViewCallback(to: .none) { @MainActor in taps.note(Self.tap) }
        let plain = ViewCallback(to: .none) { taps.note(Self.tap) }

        Self.$tap.withValue("first") { isolated.fire() }
        Self.$tap.withValue("second") { plain.fire() }
        Self.$tap.withValue("third") { isolated.fire() }
        plain.fire()

        #expect(await taps.entries(atLeast: 4) == ["first", "second", "third", "none"])
    }

    @globalActor
    private actor Desk {
        static let shared = Desk()
    }

    /// An actor that does nothing until a test lets it.
    @globalActor
    private actor Occupied {
        static let shared = Occupied()
        static let executor = HeldExecutor()

        nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
    }
}
