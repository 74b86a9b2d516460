import TestFixtures
import Testing

@testable import Relux

@Suite("StoreResolution", .timeLimit(.minutes(10))) @MainActor
struct StoreResolutionTests {
    private let resolution = Relux.UI.StoreResolution()
    private let attempts = Trace<String>()
    private let gate = Gate()

    /// Creates a store behind the gate.
    private var make: @Sendable () async throws -> Relux.Store {
        { [attempts, gate] in
            attempts.note("make")
            await gate.pass()
            return Relux.Store()
        }
    }

    private func fail(_ name: String) -> @Sendable () async throws -> Relux.Store {
        { [attempts] in
            attempts.note(name)
            throw TestFailure(name: name)
        }
    }

    @Test("only one attempt is made at a time, for which everyone waits who asks, and Observation tracks the store")
    func oneAttempt() async {
        let changed = Gate()
        beforeChange(of: resolution.store as Any) { changed.open() }
        async let first: Void = resolution.resolve(make)
        async let second: Void = resolution.resolve(make)
        await gate.arrivals()
        resolution.retry(make)
        gate.open()
        _ = await (first, second)
        await changed.pass()

        #expect(resolution.store != nil)
        #expect(attempts.entries == ["make"])
    }

    @Test("an attempt goes on when the task that waits for it is cancelled, as when a view disappears")
    func cancellation() async {
        let appearance = Task { await resolution.resolve(make) }
        await gate.arrivals()
        appearance.cancel()
        gate.open()
        await resolution.resolve(make)

        #expect(resolution.store != nil)
        #expect(attempts.entries == ["make"])
    }

    @Test("another try takes the error away while it lasts, and may succeed")
    func retry() async {
        await resolution.resolve(fail("disk full"))

        resolution.retry(make)
        let during = resolution.error == nil && resolution.store == nil
        gate.open()
        await resolution.resolve(make)

        #expect(during)
        #expect(resolution.error == nil)
        #expect(resolution.store != nil)
    }

    @Test("a failure stays until it is tried again, also when the view appears again, and may then be another one")
    func failures() async {
        for _ in 1...2 { await resolution.resolve(fail("disk full")) }

        #expect(resolution.error as? TestFailure == TestFailure(name: "disk full"))
        #expect(resolution.store == nil)
        resolution.retry(fail("no access"))
        await resolution.resolve(fail("unused"))

        #expect(resolution.error as? TestFailure == TestFailure(name: "no access"))
        #expect(attempts.entries == ["disk full", "no access"])
    }

    @Test("it creates one store, however often it is asked for it, or told to try again")
    func once() async {
        gate.open()
        await resolution.resolve(make)
        let store = resolution.store

        resolution.retry(fail("unused"))
        await resolution.resolve(fail("unused"))

        #expect(store != nil)
        #expect(resolution.store === store)
        #expect(resolution.error == nil)
        #expect(attempts.entries == ["make"])
    }

    @Test(
        "released while a store is being created, as with a view that goes for good, it cancels the attempt",
        arguments: [true, false])
    func lifetime(isFirstAttempt: Bool) async {
        var resolution: Relux.UI.StoreResolution? = Relux.UI.StoreResolution()
        weak let released = resolution
        let cancelled = Trace<Bool>()
        let make: @Sendable () async throws -> Relux.Store = { [gate] in
            await gate.pass()
            cancelled.note(Task.isCancelled)
            return Relux.Store()
        }
        let held = Lock(isFirstAttempt ? resolution : nil)
        // The task itself holds it no longer than the call does.
        let appearance = Task { await held.withLock { $0.take() }?.resolve(make) }
        if !isFirstAttempt { resolution?.retry(make) }

        await gate.arrivals()
        resolution = nil
        appearance.cancel()
        // Ends although the attempt is still being made.
        await appearance.value
        gate.open()

        #expect(released == nil)
        #expect(await cancelled.entries(atLeast: 1) == [true])
    }
}
