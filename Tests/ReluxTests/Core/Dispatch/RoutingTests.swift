import Relux
import Testing

@Suite("Routing", .timeLimit(.minutes(10)))
struct RoutingTests {
    private let observer = TraceObserver()

    private enum Note: Relux.Action { case noted }
    private struct Box<Content: Sendable>: Relux.Action { var content: Content }

    /// Records which of its reducers ran, in order.
    private struct Steps: Relux.State {
        var steps: [String] = []

        mutating func reduce(_ action: Note) { steps.append("own") }
    }

    /// A state without actions of its own.
    private struct Quiet: Relux.State {
        typealias Action = Never

        var steps: [String] = []
    }

    private struct Owner: Relux.Module {
        var states: [any Relux.State] { [Steps(), Quiet()] }
        var reducers: [Relux.Reducer] {
            [
                .init(of: Steps.self, on: Note.self) { state, _ in state.steps.append("owner 1") },
                .init(of: Quiet.self, on: Note.self) { state, _ in state.steps.append("owner") },
                .init(of: Steps.self, on: Note.self) { state, _ in state.steps.append("owner 2") },
                .init(of: Steps.self, on: Box<Int>.self) { state, box in state.steps.append("int \(box.content)") },
                .init(of: Steps.self, on: Box<String>.self) { state, box in state.steps.append(box.content) },
            ]
        }
    }

    private func guest<T: Tag>(_ name: String) -> Part<T> {
        let reducer = Relux.Reducer(of: Steps.self, on: Note.self) { state, _ in state.steps.append(name) }
        return Part(reducers: [reducer], dependencies: [Owner()])
    }

    @Test("a state's own reducer runs first, followed by the others in registration order")
    func orderOfReducers() async throws {
        let store = try await Relux.Store {
            guest("guest 1") as Part<TagA>
            Owner()
            guest("guest 2") as Part<TagB>
        }
        try await store.register(guest("guest 3") as Part<TagC>)

        await store.dispatch(Note.noted)

        #expect(
            try await store.state(of: Steps.self).steps
                == ["own", "owner 1", "owner 2", "guest 1", "guest 2", "guest 3"]
        )
        #expect(try await store.state(of: Quiet.self).steps == ["owner"])
    }

    @Test("a state with several reducers of an action is listed once in its record")
    func stateWithSeveralReducers() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) {
            guest("guest 1") as Part<TagA>
            Owner()
        }
        try await store.register(guest("guest 2") as Part<TagB>)

        await store.dispatch(Note.noted)
        await store.unregister(Part<TagB>.self)
        await store.dispatch(Note.noted)

        let states = observer.records.entries.map { $0.states.map { ObjectIdentifier($0) } }
        #expect(states == Array(repeating: [ObjectIdentifier(Steps.self), ObjectIdentifier(Quiet.self)], count: 2))
    }

    @Test("an action is routed by its exact concrete type, also through `any Action`, by every verb")
    func exactTypes() async throws {
        let store = try await Relux.Store { Owner() }
        let actions: [any Relux.Action] = [Box(content: 7), Box(content: "text"), Box(content: 1.5)]

        for action in actions { await store.dispatch(action) }
        for action in actions { store.send(action) }
        await store.dispatch { actions }
        let result = await store.actions { actions }

        #expect(
            try await store.state(of: Steps.self).steps == Array(repeating: ["int 7", "text"], count: 4).flatMap { $0 })
        #expect(result.endings == [.unhandled])
    }

    /// An action that is an object.
    private final class Parcel: Relux.Action {
        let content: String

        init(_ content: String) { self.content = content }
    }

    /// An action that is too large for an existential's inline buffer.
    private struct Freight: Relux.Action {
        var first = "a"
        var second = "b"
        var third = "c"
        var fourth = "d"
    }

    @Test("objects and large actions keep their contents, whichever verb is used")
    func shapes() async throws {
        let store = try await Relux.Store {
            Part<TagA>(
                states: [Quiet()],
                reducers: [
                    .init(of: Quiet.self, on: Parcel.self) { state, parcel in state.steps.append(parcel.content) },
                    .init(of: Quiet.self, on: Freight.self) { state, freight in
                        state.steps.append(freight.first + freight.second + freight.third + freight.fourth)
                    },
                ]
            )
        }

        store.send(Parcel("1"))
        store.send(Freight(first: "2"))
        await store.dispatch(Parcel("3"))
        await store.dispatch(Freight(first: "4"))
        await store.dispatch(contentsOf: [Parcel("5"), Parcel("6")])
        await store.dispatch(contentsOf: [Freight(first: "7")])
        await store.dispatch {
            Freight(first: "8")
            for content in ["9", "10"] { Parcel(content) }
        }

        #expect(
            try await store.state(of: Quiet.self).steps
                == ["1", "2bcd", "3", "4bcd", "5", "6", "7bcd", "8bcd", "9", "10"]
        )
    }

    @Test("in a batch, each action that nothing handles is reported, and the others are reduced")
    func unhandledInABatch() async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Owner() }

        let receipt = await store.dispatch {
            Box(content: 1.5)
            Box(content: 2)
            Work()
        }

        #expect(receipt.sequence == 3)
        #expect(observer.refusals.entries.map { "\($0.reason)" } == ["actionNotTaken", "effectNotTaken"])
        #expect(try await store.state(of: Steps.self).steps == ["int 2"])
    }
}
