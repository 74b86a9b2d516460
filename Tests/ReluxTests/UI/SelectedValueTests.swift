import TestFixtures
import Testing

@testable import Relux

@Suite("SelectedValue", .timeLimit(.minutes(10))) @MainActor
struct SelectedValueTests {
    private let selection = Relux.UI.SelectedValue<[String]>()
    private let site = Relux.CallSite()
    private let observer = TraceObserver()

    private func follow(_ reading: (any Relux.StateReading)?, id: Int? = nil) -> [String]? {
        let site = site
        selection.follow(reading?.handle, id: id.map { AnySendableHashable($0) }, otherwise: ["-"], at: site) {
            .selection({ (log: Log) in log.entries + (id.map { ["\($0)"] } ?? []) }, at: site)
        }
        return selection.state?.value
    }

    /// Where the log is that is missing at first, and goes again.
    enum Place: CaseIterable, Sendable { case root, instance }

    @Test(
        "while the module or the instance is missing, it is the other value, and nothing is reported",
        arguments: Place.allCases)
    func missing(place: Place) async throws {
        let store = Relux.Store(.init(observers: [observer]))
        let page = store.scope(of: InstancePart.self, id: "page")
        let reading: any Relux.StateReading = place == .root ? store : page

        let before = follow(reading)
        switch place {
        case .root: try await store.register(Log.Module())
        case .instance: try await store.register(InstancePart.logging("page"))
        }
        (place == .root ? store.dispatcher : page.dispatcher).doNow(Log.Action.add("a"))
        let during = follow(reading)
        switch place {
        case .root: await store.unregister(Log.Module.self)
        case .instance: await store.unregister(InstancePart.self, id: "page")
        }
        store.doNow(Tick())

        #expect(before == ["-"])
        #expect(during == ["a"])
        #expect(follow(reading) == ["-"])
        #expect(observer.refusals.entries.compactMap { $0.action }.count == observer.refusals.entries.count)
    }

    @Test("after the end of the store, it is the other value", arguments: [true, false])
    func end(isReleased: Bool) async throws {
        var store: Relux.Store? = try await Relux.Store { Log.Module() }
        _ = follow(store)
        store?.doNow(Log.Action.add("a"))
        let (during, gate) = (selection.state?.value, Gate())
        let observation = selection.state?.observe { _, _ in gate.open() }

        if !isReleased { await store?.shutdown() }
        store = nil
        await gate.pass()

        #expect(during == ["a"])
        #expect(selection.state?.value == ["-"])
        withExtendedLifetime(observation) {}
    }

    @Test("it is made again when the store or what it captures changes, and only then")
    func captured() throws {
        let store = try Relux.Store(modules: [Log.Module()])
        let otherStore = try Relux.Store(modules: [Log.Module()])
        otherStore.doNow(Log.Action.add("elsewhere"))

        let first = follow(store, id: 1)
        let state = selection.state
        let again = follow(store, id: 1)
        let isSame = selection.state === state
        let other = follow(store, id: 2)
        let changes = [follow(otherStore, id: 2), follow(nil, id: 2), follow(store, id: 2)]

        #expect(changes == [["elsewhere", "2"], ["-"], ["2"]])
        #expect(first == ["1"])
        #expect(again == ["1"])
        #expect(isSame)
        #expect(other == ["2"])
    }

    @Test("an effect is performed until its task is cancelled, which cancels its work and doesn't wait for it")
    func performing() async throws {
        let gate = Gate()
        let work = WorkSaga { _, _ in await gate.pass() }
        let store = try Relux.Store(.init(observers: [observer]), modules: [work.module()])

        let dispatcher = store.dispatcher
        let task = Task { await dispatcher.performing(Work(), at: Relux.CallSite()) }
        await gate.arrivals()
        task.cancel()
        // This would hang if it waited for the work.
        await task.value
        gate.open()
        try await store.idle()

        #expect(observer.trace.entries.contains("end 1 cancelled"))
    }
}
