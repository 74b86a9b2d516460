import Relux
import ReluxTesting
import TestFixtures
import Testing

/// Compares view states with what a model of the store says, through random changes of all kinds.
@Suite("Law 27: against a model", .timeLimit(.minutes(20))) @MainActor
struct Law27ModelTests {
    private typealias Action = Form.Action

    /// What a view state follows.
    private enum Kind: CaseIterable {
        case whole, count, reader, wholeOfInstance, countOfInstance, readerOfInstance

        var isOfInstance: Bool { [.wholeOfInstance, .countOfInstance, .readerOfInstance].contains(self) }
    }

    /// A view state, and what it must show.
    @MainActor
    private final class View {
        let kind: Kind
        private let form: Relux.UI.ViewState<Form>?
        private let number: Relux.UI.ViewState<Int>?
        private(set) var expected: String
        let title: Relux.UI.ViewBinding<String>?

        init(_ kind: Kind, _ store: Relux.Store, _ world: Mix) throws {
            self.kind = kind
            let place: any Relux.StateReading =
                kind.isOfInstance ? store.scope(of: Form.Instance.self, id: 1) : store
            switch kind {
            case .whole, .wholeOfInstance: (form, number) = (try place.viewState(of: Form.self), nil)
            case .count, .countOfInstance: (form, number) = (nil, try place.viewState(of: Form.self, \.count))
            case .reader, .readerOfInstance: (form, number) = (nil, try place.viewState { $0[Form.self]?.count ?? -1 })
            }
            title = form?.binding(\.title, sending: Action.titleChanged)
            expected = ""
            update(world)
        }

        /// What it shows.
        var shown: String { form.map { "\($0.value)" } ?? number.map { "\($0.value)" } ?? "" }

        /// Notes what it must show from now on. The last value of what has gone stays.
        func update(_ world: Mix) {
            switch (kind, world.forms[kind.isOfInstance]) {
            case (.whole, let state?), (.wholeOfInstance, let state?): expected = "\(state)"
            case (.reader, nil): expected = "-1"
            case (_, let state?): expected = "\(state.count)"
            case (_, nil): break
            }
        }
    }

    /// The model of the store: the forms that exist, that of the root and that of the instance.
    @MainActor
    private final class Mix {
        var forms = [false: Form()]

        func reduce(_ action: Action, inInstance: Bool) { forms[inInstance]?.reduce(action) }
        func reset() { forms = forms.mapValues { _ in Form() } }
    }

    private func runMix(_ seed: UInt64) async throws -> String? {
        var generator = SeededGenerator(seed: seed)
        let store = try Relux.Store(modules: [Form.Module()])
        let scope = store.scope(of: Form.Instance.self, id: 1)
        let mix = Mix()
        var views: [View] = []
        var log: [String] = []
        for _ in 0..<12 {
            let choice = Int.random(in: 0..<12, using: &generator)
            let inInstance = Bool.random(using: &generator)
            let place: any Relux.ActionDispatching & Sendable = inInstance ? scope : store
            let amount = Int.random(in: 1...3, using: &generator)
            log.append("\(choice) \(inInstance) \(amount)")
            func count() { for _ in 0..<amount { mix.reduce(.counted, inInstance: inInstance) } }
            switch choice {
            case 0:
                for _ in 0..<amount { place.doNow(Action.counted) }
                count()
            case 1:
                await Task.detached {
                    for _ in 0..<amount { await place.dispatch(Action.counted) }
                }.value
                count()
                await turn()
            case 2:
                place.doNow(contentsOf: Array(repeating: Action.counted, count: amount))
                count()
            case 3:
                // A later call of this task comes after what it has sent.
                for _ in 0..<amount { place.send(Action.counted) }
                count()
                store.doNow(Action.ignored)
            case 4, 5:
                if mix.forms[inInstance] == nil {
                    try await store.register(inInstance ? Form.Instance(id: 1) : Form.Module())
                    mix.forms[inInstance] = Form()
                } else {
                    // What the last step changes is shown, too, wherever it is made.
                    let remove: @Sendable () async -> Void = {
                        if choice == 4 { await place.dispatch(Action.counted) } else { place.send(Action.counted) }
                        guard inInstance else { return await store.unregister(Form.Module.self) }
                        await store.unregister(Form.Instance.self, id: 1)
                    }
                    if choice == 4 { await Task.detached { await remove() }.value } else { await remove() }
                    mix.reduce(.counted, inInstance: inInstance)
                    for view in views { view.update(mix) }
                    mix.forms[inInstance] = nil
                }
                await turn()
            case 6:
                await store.reset()
                mix.reset()
                await turn()
            case 7, 8, 9:
                let kind = Kind.allCases.randomElement(using: &generator) ?? .whole
                let exists = kind == .reader || mix.forms[kind.isOfInstance] != nil
                if exists { views.append(try View(kind, store, mix)) }
            case 10:
                if !views.isEmpty { views.remove(at: Int.random(in: 0..<views.count, using: &generator)) }
            default:
                let text = ["a", "az", "A"][amount - 1]
                if let view = views.randomElement(using: &generator), let title = view.title {
                    title.wrappedValue = text
                    mix.reduce(.titleChanged(text), inInstance: view.kind.isOfInstance)
                }
            }
            for view in views { view.update(mix) }
            let wrong = views.filter { $0.shown != $0.expected }
            if let view = wrong.first {
                return "seed \(seed), after \(log): \(view.kind) shows \(view.shown) instead of \(view.expected)"
            }
        }
        return nil
    }

    @Test("after every turn of 10,000 random mixes of changes, all view states show what a model says")
    func mixes() async throws {
        var failures: [String] = []
        for seed in seeds(10_000) {
            if let failure = try await runMix(seed) { failures.append(failure) }
        }

        #expect(failures.prefix(3) == [])
    }
}
