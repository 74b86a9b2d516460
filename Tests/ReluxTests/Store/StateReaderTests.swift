import Relux
import Testing

@Suite("StateReader", .timeLimit(.minutes(10)))
struct StateReaderTests {
    /// Who is lent a reader.
    enum Lender: CaseIterable, Sendable {
        case read, contextRead, middleware, observer, selection
    }

    /// What a reader said about a state that is there and one that is missing.
    private struct Answers: Sendable, Equatable {
        var entries: Int?
        var missing: Total?
        var thrownFor: String?

        init(_ reader: borrowing Relux.StateReader) {
            entries = reader[Log.self]?.entries.count
            missing = reader[Total.self]
            do throws(Relux.StoreError) {
                _ = try reader.state(of: Total.self, fileID: "App/Here.swift", line: 7)
            } catch {
                if case .stateNotOwned(let state, let site) = error { thrownFor = "\(state) \(site)" }
            }
        }
    }

    /// A store with a log, an account, and a chat in a chat.
    private static func nested() async throws -> (store: Relux.Store, outer: Relux.Lease, inner: Relux.Lease) {
        let store = try await Relux.Store {
            Log.Module()
            Account.Module()
        }
        let outer = try await store.attach(Chat.Module(id: "c1"))
        return (store, outer, try await outer.scope.attach(Chat.Module(id: "c2")))
    }

    @Test("all states are those of every scope, from wherever they are read: each scope before what it contains")
    func allStates() async throws {
        let (store, outer, inner) = try await Self.nested()
        await store.dispatch(Log.Action.add("a"))

        let all = await inner.scope.read { reader in reader.allStates }
        let ofRoot = await store.read { reader in reader.allStates.map(\.scope) }

        #expect(all.map { "\(type(of: $0.state))" } == ["Log", "State", "State", "State"])
        #expect(all.map(\.scope) == [nil, nil, outer.scope, inner.scope])
        #expect((all.first?.state as? Log)?.entries == ["a"])
        #expect(ofRoot == all.map(\.scope))
        #expect(await store.scope(of: Chat.Module.self, id: "none").read { reader in reader.allStates.isEmpty })
    }

    @Test("a selection doesn't note what it reads of all states")
    func allStatesInSelection() async throws {
        let store = try await Relux.Store {
            Log.Module()
            Part<TagA>.counting()
        }
        let calls = Trace<Int>()
        var values = store.values { reader in
            calls.note(reader.allStates.count)
            return reader[Counter<TagA>.self]?.value ?? -1
        }.makeAsyncIterator()
        _ = await values.next()

        async let next = values.next()
        await store.dispatch(Log.Action.add("a"))
        await store.dispatch(Counter<TagA>.Add(amount: 1))

        #expect(await next == 1)
        #expect(calls.entries.allSatisfy { $0 == 2 })
        #expect(calls.entries.count == 2)
    }

    @Test("the instances that take an action are those whose modules do, however deeply nested")
    func instancesTaking() async throws {
        let (store, outer, inner) = try await Self.nested()
        // A stream takes nothing.
        let stream = outer.scope.actionStream(of: Work.self)

        let instances = await inner.scope.read { reader in
            let actions: [any Relux.Action.Type] = [Chat.State.Action.self, Log.Action.self, Work.self]
            return actions.map { reader.instances(taking: $0) }
        }

        #expect(instances == [[outer.scope, inner.scope], [], []])
        withExtendedLifetime((store, stream)) {}
    }

    @Test("a missing state is nil by subscript, and is thrown and reported by `state(of:)`", arguments: Lender.allCases)
    func missingStates(lender: Lender) async throws {
        let answers = Trace<Answers>()
        let observer = TraceObserver()
        let ask: @Sendable (Lender, borrowing Relux.StateReader) -> Void = { asking, reader in
            if asking == lender { answers.note(Answers(reader)) }
        }
        let middleware = HookMiddleware { action, reader in
            if action is Log.Action { ask(.middleware, reader) }
            return .proceed
        }
        let store = try await Relux.Store(
            .init(middleware: [middleware], observers: [StateHookObserver { ask(.observer, $1) }, observer])
        ) {
            WorkSaga { _, context in await context.read { ask(.contextRead, $0) } }.module()
        }

        await store.dispatch(Log.Action.add("entry"))
        await store.read { ask(.read, $0) }
        var values = store.values { reader in
            ask(.selection, reader)
            return 1
        }.makeAsyncIterator()
        _ = await values.next()
        if lender != .observer { try await store.perform(Work()) }

        let answer = try #require(answers.entries.first)
        #expect(answers.entries.count == 1)
        #expect(answer.entries == (lender == .middleware ? 0 : 1))
        #expect(answer.missing == nil)
        #expect(answer.thrownFor == "Total App/Here.swift:7")
        #expect(observer.reasons == ["stateNotOwned"])
        #expect(observer.refusals.entries.first?.description.contains("ReluxTests.Total") == true)
    }
}
