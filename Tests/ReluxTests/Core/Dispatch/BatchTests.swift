import Relux
import Testing

/// Batches on the ways that nothing but reducers, or an instance, needs.
@Suite("Batches", .timeLimit(.minutes(10)))
struct BatchTests {
    @Test("an action after one that has closed the instance of the batch is refused", arguments: [true, false])
    func afterClosing(isObserved: Bool) async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: isObserved ? [observer] : [])) { Self.closing }
        await store.dispatch(Inbox.State.Action.set(["c1"]))
        let chat = store.scope(of: Chat.Module.self, id: "c1")

        let outcome = await chat.dispatch {
            Chat.Finished()
            Chat.State.Action.received("late")
        }.outcome()

        guard case .failure = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(try await store.state(of: Inbox.State.self) == Inbox.State())
        #expect(observer.refusals.entries.count == (isObserved ? 1 : 0))
    }

    /// Closes a chat in the step in which it finishes.
    private static var closing: Part<TagA> {
        Part(reducers: [closing(on: Chat.Finished.self), closing(on: Leave.self)], dependencies: [Inbox.Module()])
    }

    private static func closing<A: Relux.Action>(on action: A.Type) -> Relux.Reducer {
        Relux.Reducer(of: Inbox.State.self, on: Relux.ChildAction<Chat.Module, A>.self) { inbox, chat in
            inbox.open.removeAll { $0 == chat.id }
        }
    }

    /// An effect that only parents know.
    private struct Leave: Relux.Effect {}

    @Test("an effect that closes its own instance is cancelled if it is performed, and has taken place otherwise")
    func closingEffect() async throws {
        let store = try await Relux.Store { Self.closing }
        await store.dispatch(Inbox.State.Action.set(["c1", "c2"]))

        let ending = await Ending.of {
            try await store.scope(of: Chat.Module.self, id: "c1").perform(Leave())
        }
        let outcome = await store.scope(of: Chat.Module.self, id: "c2").dispatch(Leave()).outcome()

        #expect(ending == .cancelled)
        #expect(outcome.endings == [.returned])
        #expect(try await store.state(of: Inbox.State.self).open.isEmpty)
    }

    @Test(
        "an effect of an instance is handled if a saga of the parent takes it, not if only a reducer does",
        arguments: [true, false])
    func handledByParent(answers: Bool) async throws {
        typealias Left = Relux.ChildAction<Chat.Module, Leave>
        let counting = Relux.Reducer(of: Inbox.State.self, on: Left.self) { inbox, chat in
            inbox.unread[chat.id, default: 0] += 1
        }
        let sagas = answers ? [ClosureSaga<Left> { _, _ in }] : []
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) {
            Part<TagA>(reducers: [counting], sagas: sagas, dependencies: [Inbox.Module()])
        }
        await store.dispatch(Inbox.State.Action.set(["c1"]))

        let outcome = await store.scope(of: Chat.Module.self, id: "c1").dispatch(Leave()).outcome()

        #expect(outcome.endings == [answers ? .returned : .unhandled])
        #expect(observer.refusals.entries.count == (answers ? 0 : 1))
        #expect(try await store.state(of: Inbox.State.self).unread == ["c1": 1])
    }

    @Test("an effect that is addressed to an instance reaches it, although a saga of the parent takes it too")
    func addressed() async throws {
        let trace = Trace<String>()
        let store = try await Relux.Store {
            Inbox.Module()
            SagaModule(sagas: [
                ClosureSaga<Relux.ChildAction<Chat.Module, Chat.Send>> { send, _ in trace.note(send.action.text) }
            ])
        }
        await store.dispatch(Inbox.State.Action.set(["c1"]))

        await store.dispatch(Relux.ChildAction(Chat.Module.self, id: "c1", Chat.Send(text: "a"))).finished()
        try await store.idle()

        #expect(trace.entries == ["a"])
        let chat = store.scope(of: Chat.Module.self, id: "c1")
        #expect(try await chat.state(of: Chat.State.self).messages == ["a"])
    }
}
