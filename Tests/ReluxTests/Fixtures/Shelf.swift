import Relux
import TestFixtures

/// A place in which a test keeps one saved value, and can look at it, break it, and slow it down.
final class Shelf<S: Relux.State>: Sendable {
    enum Event: Sendable, Equatable {
        case load, save(S), saved(S), failed, erase, erased, setAside, tookIn
    }

    private struct Contents {
        var value: S?
        var aside: [S] = []
        var loadFailure: Relux.LoadFailure?
        var failures = 0
        var setAsideFailure: TestFailure?
    }

    private let contents: Lock<Contents>
    fileprivate let trace = Trace<Event>()
    /// What each load passes.
    let loads: Gate?
    /// What each save and erasure passes.
    let saves: Gate?

    init(_ value: S? = nil, loads: Gate? = nil, saves: Gate? = nil) {
        contents = Lock(Contents(value: value))
        (self.loads, self.saves) = (loads, saves)
    }

    /// What is saved.
    var value: S? { contents.withLock { $0.value } }

    /// What was set aside.
    var aside: [S] { contents.withLock { $0.aside } }

    var events: [Event] { trace.entries }

    /// The values whose saves have begun.
    var begun: [S] { events.compactMap { if case .save(let value) = $0 { value } else { nil } } }

    /// Lets loads fail until it is repaired.
    func breakLoads(_ failure: Relux.LoadFailure?) { contents.withLock { $0.loadFailure = failure } }

    /// Lets the next saves and erasures fail.
    func failNext(_ count: Int) { contents.withLock { $0.failures = count } }

    func failSettingAside() { contents.withLock { $0.setAsideFailure = TestFailure() } }

    /// Waits until a value has been saved.
    func saved(_ value: S) async { await trace.entries(satisfy: { $0.contains(.saved(value)) }) }

    fileprivate func load() async throws(Relux.LoadFailure) -> S? {
        trace.note(.load)
        await loads?.pass()
        if Task.isCancelled { throw .unavailable(CancellationError()) }
        let (value, failure) = contents.withLock { ($0.value, $0.loadFailure) }
        if let failure { throw failure }
        return value
    }

    fileprivate func replace(_ begin: Event, _ end: Event, with value: S?) async throws {
        trace.note(begin)
        await saves?.pass()
        let fails = contents.withLock { contents in
            guard contents.failures == 0 else {
                contents.failures -= 1
                return true
            }
            contents.value = value
            return false
        }
        trace.note(fails ? .failed : end)
        if fails { throw TestFailure() }
    }

    fileprivate func setAside() throws {
        if let failure = contents.withLock({ $0.setAsideFailure }) { throw failure }
        contents.withLock { contents in
            // Others may have set it aside since, and saved.
            guard contents.loadFailure.take() != nil else { return }
            contents.aside += contents.value.take().map { [$0] } ?? []
        }
        trace.note(.setAside)
    }
}

/// Keeps a state on a shelf.
struct Shelved<S: Relux.State>: Relux.StatePersistence {
    let shelf: Shelf<S>
    var pace = Relux.SavingPace.atOnce
    var unreadable = Relux.UnreadableRule.refuse
    var onReset = Relux.SavedRule.save
    var onRemoval = Relux.SavedRule.keep
    var location: (any Hashable & Sendable)? { ObjectIdentifier(shelf) }
    /// Whether a change matters.
    var isWorth: @Sendable (S, S) -> Bool = { $0 != $1 }
    /// What others save.
    var others: AsyncStream<S.Action>?

    init(on shelf: Shelf<S>, pace: Relux.SavingPace = .atOnce) {
        (self.shelf, self.pace) = (shelf, pace)
    }

    func load(into initial: S) async throws(Relux.LoadFailure) -> S? { try await shelf.load() }
    func save(_ state: S) async throws { try await shelf.replace(.save(state), .saved(state), with: state) }
    func erase() async throws { try await shelf.replace(.erase, .erased, with: nil) }
    func setAside() async throws { try shelf.setAside() }
    func isWorthSaving(_ old: S, _ new: S) -> Bool { isWorth(old, new) }
    func willTakeIn() -> Bool {
        shelf.trace.note(.tookIn)
        return true
    }
    func changes(since state: S) -> AsyncStream<S.Action> { others ?? AsyncStream { $0.finish() } }
}

/// A persistence that keeps nothing.
struct Unkept<S: Relux.State>: Relux.StatePersistence {
    var location: (any Hashable & Sendable)?
    var unreadable = Relux.UnreadableRule.refuse
    /// What others save.
    var others: AsyncStream<S.Action>?
    var body: @Sendable () async throws(Relux.LoadFailure) -> S? = { () throws(Relux.LoadFailure) in nil }

    func load(into initial: S) async throws(Relux.LoadFailure) -> S? { try await body() }
    func save(_ state: S) async throws {}
    func erase() async throws {}
    func setAside() async throws {}
    func changes(since state: S) -> AsyncStream<S.Action> { others ?? AsyncStream { $0.finish() } }
}

extension Unkept {
    /// A persistence whose load passes a gate, and doesn't react to its cancellation.
    static func stubborn(_ value: S, behind gate: Gate) -> Unkept {
        Unkept { () async throws(Relux.LoadFailure) in
            await gate.pass()
            return value
        }
    }
}

extension Relux.StatePersistence {
    /// The persistence with other settings.
    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The log as a feature that keeps it.
struct KeptLog: Relux.Module {
    var persistence: [any Relux.StatePersistence]
    var sagas: [any Relux.Saga] = []
    var watchers: [any Relux.Watcher] = []
    var dependencies: [any Relux.Module] = []
    var states: [any Relux.State] { [Log()] }
}

extension KeptLog {
    /// Keeps the log on a shelf.
    init(
        on shelf: Shelf<Log>, pace: Relux.SavingPace = .atOnce, watchers: [any Relux.Watcher] = [],
        _ settings: (inout Shelved<Log>) -> Void = { _ in }
    ) {
        self.init(persistence: [Shelved(on: shelf, pace: pace).with(settings)], watchers: watchers)
    }
}

/// A page of notes, one for each id, whose log is kept.
struct KeptPage: Relux.Module, Identifiable {
    let id: String
    var persistence: [any Relux.StatePersistence]
    var states: [any Relux.State] { [Log()] }
}

extension KeptPage {
    /// Keeps the log on a shelf.
    init(id: String, on shelf: Shelf<Log>, pace: Relux.SavingPace = .atOnce) {
        self.init(id: id, persistence: [Shelved(on: shelf, pace: pace)])
    }
}

extension Relux.SavingPace {
    /// A pace that no test lets pass.
    static var slow: Self { .within(.seconds(3600)) }
}

extension Staged {
    /// Makes a store that keeps its log on a shelf.
    func keep(
        on shelf: Shelf<Log>, pace: Relux.SavingPace = .atOnce, observers: [any Relux.StoreObserver] = [],
        _ settings: (inout Shelved<Log>) -> Void = { _ in }
    ) async throws -> Relux.Store {
        let module = KeptLog(on: shelf, pace: pace, settings)
        return try await Relux.Store(.init(clock: clock, observers: observers)) { module }
    }

    /// Makes a store with pages, one for each open id, that keep their logs on one shelf.
    func keepPages(
        on shelf: Shelf<Log>, pace: Relux.SavingPace = .atOnce, observers: [any Relux.StoreObserver] = []
    ) async throws -> Relux.Store {
        try await Relux.Store(.init(clock: clock, observers: observers)) {
            Pages.Module { KeptPage(id: $0, on: shelf, pace: pace) }
        }
    }
}

/// A number that is kept, next to what is shown, which isn't.
struct Total: Relux.State {
    var number = 0
    var shown = 0

    enum Action: Relux.Action, Hashable { case add(Int), show(Int) }

    mutating func reduce(_ action: Action) {
        switch action {
        case .add(let count): number += count
        case .show(let number): shown = number
        }
    }
}

/// The number as a feature that keeps it.
struct KeptTotal: Relux.Module {
    var persistence: [any Relux.StatePersistence]
    var states: [any Relux.State] { [Total()] }
}
