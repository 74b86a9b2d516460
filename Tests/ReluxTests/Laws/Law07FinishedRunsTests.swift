import Relux
import Testing

@Suite("Law 7: no stale writes of finished runs", .timeLimit(.minutes(10)))
struct Law07FinishedRunsTests: Staged {
    let scene = Scene()

    /// A way to write on behalf of a run.
    enum Write: CaseIterable, Sendable {
        case dispatch, send, finish, perform, store, timeout

        func write(_ context: Relux.SagaContext, _ store: Relux.Store?) async {
            let action = Log.Action.add("late")
            switch self {
            case .dispatch: await context.dispatch(action)
            case .send: context.send(action)
            case .finish: await context.finish(with: action)
            case .perform: try? await context.perform(Errand(name: "late"))
            case .store: await store?.dispatch(action)
            case .timeout: try? await context.timeout(after: .seconds(1)) { _ = await $0.dispatch(action) }
            }
        }
    }

    @Test(
        "a finished run writes nothing: by its context, by its timeouts, or by a store in its task",
        arguments: Write.allCases)
    func writesNothing(write: Write) async throws {
        let store = try await makeStore(
            observers: [observer],
            WorkSaga { _, context in
                await context.finish(with: Log.Action.add("last"))
                await write.write(context, link.store)
            },
            ClosureSaga<Errand> { _, context in await context.dispatch(Log.Action.add("errand")) }
        )

        try await store.perform(Work())
        try await store.idle()

        #expect(try await store.log() == ["last"])
        #expect(observer.refusals.entries.compactMap(\.staleRun?.id).count == 1)
    }

    @Test("waits that were made through the context of a finished run end")
    func waitsEnd() async throws {
        let endings = Trace<Ending>()
        let store = try await makeStore { _, context in
            async let action = Ending.of { try await context.first(of: Log.Action.self) { $0 == .add("never") } }
            async let state = Ending.of { try await context.wait(until: Log.self) { $0.entries.contains("never") } }
            async let timed = Ending.of {
                try await context.timeout(after: .seconds(1)) { context in
                    gate.open()
                    _ = try await context.first(of: Log.Action.self) { $0 == .add("never") }
                }
            }
            await gate.pass()
            await context.finish(with: Log.Action.add("last"))
            for ending in await [action, state, timed] { endings.note(ending) }
            endings.note(await Ending.of { try await context.first(of: Log.Action.self) })
        }

        try await store.perform(Work())

        #expect(endings.entries == Array(repeating: .cancellationError, count: 4))
    }

    @Test("streams that were made through the contexts of a finished run end, and those of others go on")
    func streamsEnd() async throws {
        let counts = Trace<Int>()
        let store = try await makeStore { _, context in
            let before = context.actionStream(of: Log.Action.self)
            try await context.timeout(after: .seconds(1)) { timed in
                let inside = timed.actionStream(of: Log.Action.self)
                await timed.finish(with: Log.Action.add("last"))
                for stream in [before, inside, context.actionStream(of: Log.Action.self)] {
                    counts.note(await stream.reduce(0) { count, _ in count + 1 })
                }
            }
        }
        let outside = store.actionStream(of: Log.Action.self)

        try await store.perform(Work())
        await store.dispatch(Log.Action.add("later"))

        // The one that was made after the end has heard nothing.
        #expect(counts.entries == [1, 1, 0])
        #expect(await outside.prefix(2).reduce(0) { count, _ in count + 1 } == 2)
    }

    @Test(
        "a run that may no longer write can't finish, with or without actions, and is refused",
        arguments: [true, false])
    func refused(hasAction: Bool) async throws {
        let store = try await makeStore(.latest, observers: [observer]) { work, context in
            guard work.name == "old" else { return }
            await gate.pass()
            if hasAction { await context.finish(with: Log.Action.add("late")) } else { await context.finish {} }
        }
        let old = await dispatching(Work(name: "old"), in: store)

        await store.dispatch(Work(name: "new"))

        #expect(try await finalLog(of: store) == [])
        #expect(await old.outcome().endings == [.cancelled])
        #expect(observer.refusals.entries.compactMap(\.staleRun?.id) == [1])
        #expect(ends.filter { $0.hasPrefix("end 1") } == ["end 1 superseded"])
    }
}
