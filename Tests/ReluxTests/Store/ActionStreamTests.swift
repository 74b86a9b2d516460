import Relux
import TestFixtures
import Testing

@Suite("Streams of several types, and bounded streams", .timeLimit(.minutes(10)))
struct ActionStreamTests {
    private typealias AddA = Counter<TagA>.Add
    private typealias AddB = Counter<TagB>.Add

    private let observer = TraceObserver()
    private let store: Relux.Store

    init() throws {
        store = try Relux.Store(.init(observers: [observer]), modules: [Part<TagA>.counting(), Part<TagB>.counting()])
    }

    @Test("a stream of several types delivers their actions in the order of the store, and no others")
    func order() async throws {
        store.send(AddA(amount: 0))
        let stream = store.actionStream(ofAny: AddA.self, AddB.self, AddA.self)

        await store.dispatch(AddA(amount: 1))
        await store.dispatch(Tick())
        await store.dispatch {
            AddB(amount: 2)
            AddA(amount: 3)
        }
        store.send(AddB(amount: 4))

        let texts = await stream.prefix(4).elements().map { action in
            switch action {
            case let add as AddA: "a\(add.amount)"
            case let add as AddB: "b\(add.amount)"
            default: "?"
            }
        }
        #expect(texts == ["a1", "b2", "a3", "b4"])
    }

    @Test("an action that only such a stream takes is not unhandled, and a released stream leaves nothing behind")
    func routes() async throws {
        let before = await store.contents()
        var stream: Relux.AnyActionStream? = store.actionStream(ofAny: Tick.self)
        await store.dispatch(Tick())
        let refusals = observer.refusals.entries.count
        withExtendedLifetime(stream) {}

        stream = nil
        await store.dispatch(Tick())

        #expect(refusals == 0)
        #expect(observer.refusals.entries.count == 1)
        #expect(await store.contents() == before)
    }

    /// Which actions a full buffer keeps.
    enum Kept: CaseIterable, Sendable { case newest, oldest }

    @Test(
        "a full stream keeps the newest or the oldest actions, and counts those that it drops",
        arguments: Kept.allCases, [-1, 1, 3])
    func bounded(kept: Kept, count: Int) async throws {
        let buffering: Relux.StreamBuffering = kept == .newest ? .sliding(count) : .dropping(count)
        let (one, any) = (
            store.actionStream(of: AddA.self, buffering: buffering),
            store.actionStream(ofAny: AddA.self, buffering: buffering)
        )

        for amount in 1...5 { await store.dispatch(AddA(amount: amount)) }
        await store.shutdown()

        let expected = kept == .newest ? (1...5).suffix(max(count, 1)) : (1...5).prefix(max(count, 1))
        #expect(await one.elements().map(\.amount) == Array(expected))
        #expect(await any.elements().map { ($0 as? AddA)?.amount } == Array(expected))
        #expect([one.droppedCount, any.droppedCount] == Array(repeating: 5 - max(count, 1), count: 2))
    }

    @Test("a bounded stream drops nothing as long as its consumer keeps up")
    func keepingUp() async throws {
        let stream = store.actionStream(of: AddA.self, buffering: .dropping(1))
        var iterator = stream.makeAsyncIterator()

        for amount in 1...5 {
            await store.dispatch(AddA(amount: amount))
            #expect(await iterator.next()?.amount == amount)
        }

        #expect(stream.droppedCount == 0)
    }

    @Test("a watcher's bounded stream applies its bound to what came since the registration")
    func inbox() async throws {
        let (gate, done) = (Gate(), Gate())
        let amounts = Trace<Int>()
        let watcher = ClosureWatcher(listens: [AddA.self]) { context in
            await gate.pass()
            for await action in context.actionStream(of: AddA.self, buffering: .sliding(2)) {
                amounts.note(action.amount)
                if amounts.entries.count == 2 { return done.open() }
            }
        }
        try await store.register(Part<TagC>(watchers: [watcher]))

        for amount in 1...5 { await store.dispatch(AddA(amount: amount)) }
        gate.open()
        await done.pass()

        #expect(amounts.entries == [4, 5])
    }
}
