import Relux
import ReluxTesting
import Testing

@Suite("Law 2: program order", .timeLimit(.minutes(10)))
struct Law02ProgramOrderTests: Staged {
    let scene = Scene()
    private static let rounds = 300

    private func store(isObserved: Bool = false) async throws -> Relux.Store {
        try await Relux.Store(.init(observers: isObserved ? [HookObserver()] : [])) { Ledger.Module() }
    }

    // MARK: A send before another verb

    @Test(
        "a send is reduced before whatever the task dispatches, sends, or performs next",
        arguments: WritingVerb.allCases)
    func sendsPrecedeWrites(verb: WritingVerb) async throws {
        for isObserved in [false, true] {
            let store = try await store(isObserved: isObserved)

            for round in 0..<Self.rounds {
                store.send(Ledger.Write(number: round * 2))
                try await verb.submit(Ledger.Write(number: round * 2 + 1), to: store)
            }

            #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == Array(0..<Self.rounds * 2))
        }
    }

    @Test("a send is reduced before whatever the task reads next", arguments: ReadingVerb.allCases)
    func sendsPrecedeReads(verb: ReadingVerb) async throws {
        let store = try await store()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round))

            #expect(try await verb.lastNumber(in: store) == round)
        }
    }

    @Test("a later value is ordered after the sends that precede the request for it")
    func sendsPrecedeLaterValues() async throws {
        let store = try await store()
        var whole = store.values(of: Ledger.State.self).makeAsyncIterator()
        var count = store.values(of: Ledger.State.self) { $0.writes.count }.makeAsyncIterator()
        _ = await whole.next()
        _ = await count.next()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round))

            #expect(await whole.next()?.writes.count == round + 1)
            #expect(await count.next() == round + 1)
        }
    }

    @Test("a stream starts after earlier sends and includes later ones")
    func streamsStartInOrder() async throws {
        let store = try await store()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round * 2))
            let stream = store.actionStream(of: Ledger.Write.self)
            store.send(Ledger.Write(number: round * 2 + 1))

            #expect(await stream.first { _ in true } == Ledger.Write(number: round * 2 + 1))
        }
    }

    /// How a module comes and goes.
    enum Stay: CaseIterable, Sendable {
        case registered, leased, leaseReleased
    }

    @Test(
        "a registration, an attachment, and the end of either is ordered after earlier sends and before later ones",
        arguments: Stay.allCases)
    func staysKeepTheOrder(stay: Stay) async throws {
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(writer: 0, number: round))
            var lease: Relux.Lease?
            if stay == .registered {
                try await store.register(Ledger.Copy.Module())
            } else {
                lease = try await store.attach(Ledger.Copy.Module())
            }
            store.send(Ledger.Write(writer: 1, number: round))
            switch stay {
            case .registered: await store.unregister(Ledger.Copy.Module.self)
            case .leased: await lease?.end()
            case .leaseReleased:
                #expect(lease != nil)
                lease = nil
            }
        }
        await store.dispatch(Ledger.Write(writer: 0, number: 0))

        let records = observer.records.entries
        #expect(records.count == Self.rounds * 2 + 1)
        #expect(records.allSatisfy { $0.states.count == (($0.action as? Ledger.Write)?.writer == 0 ? 1 : 2) })
    }

    @Test("a reset is ordered after earlier sends and before later ones")
    func resetsKeepTheOrder() async throws {
        let store = try await store()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round))
            await store.reset()
            store.send(Ledger.Write(number: round))

            #expect(try await store.state(of: Ledger.State.self).writes == [Ledger.Write(number: round)])
        }
    }

    @Test("a cancellation applies to what was sent before it")
    func cancellationsFollowSends() async throws {
        let store = try await makeStore(observers: [observer]) { work, context in
            try await context.sleep(for: .seconds(1_000_000))
            trace.note(work.name)
        }

        for round in 0..<Self.rounds {
            store.send(Work(name: "\(round)"))
            await store.cancel(WorkSaga.self)
        }
        try await store.idle()

        #expect(ends.count == Self.rounds)
        #expect(ends.allSatisfy { $0.hasSuffix("cancelled") })
        #expect(trace.entries.isEmpty)
    }

    // MARK: Many tasks

    @Test("the actions of each of many tasks stay in order, even if the tasks mix verbs", arguments: [false, true])
    func mixedVerbsKeepTheOrder(isObserved: Bool) async throws {
        let store = try await store(isObserved: isObserved)
        let writers = 8
        let rounds = 120

        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(writer))
                    for number in 0..<rounds {
                        let verb = WritingVerb.allCases.randomElement(using: &generator) ?? .send
                        try await verb.submit(Ledger.Write(writer: writer, number: number), to: store)
                        guard !verb.isSend, Bool.random(using: &generator) else { continue }
                        let seen = try await store.state(of: Ledger.State.self).writes.last { $0.writer == writer }
                        #expect(seen?.number == number)
                    }
                }
            }
            try await group.waitForAll()
        }

        let state = try await store.state(of: Ledger.State.self)
        #expect(state.writes.count == writers * rounds)
        for writer in 0..<writers { #expect(state.numbers(of: writer) == Array(0..<rounds)) }
    }

    // MARK: From inside

    @Test("a run's sends are reduced before whatever it does next")
    func contextsKeepTheOrder() async throws {
        let seen = Trace<[Int]>()
        let store = try await makeStore { _, context in
            for round in 0..<Self.rounds {
                context.send(Ledger.Write(number: round * 3))
                await context.dispatch(Ledger.Write(number: round * 3 + 1))
                context.send(Ledger.Write(number: round * 3 + 2))
                seen.note(try await context.state(of: Ledger.State.self).writes.suffix(3).map(\.number))
            }
        }
        try await store.register(Ledger.Module())

        try await store.perform(Work())

        let expected = (0..<Self.rounds).map { round in [Int](round * 3...round * 3 + 2) }
        #expect(seen.entries == expected)
    }

    @Test(
        "what an observer or a middleware sends is reduced, in order, after the action that it saw",
        arguments: [false, true])
    func bystandersSend(isMiddleware: Bool) async throws {
        let answer: @Sendable (any Relux.Action) -> Void = { action in
            guard let write = action as? Ledger.Write, write.writer == 0 else { return }
            link.store?.send(Ledger.Write(writer: 1, number: write.number))
        }
        let middleware = HookMiddleware { action, _ in
            answer(action)
            return .proceed
        }
        let observer = HookObserver(onAction: { answer($0.action) })
        let store = try await Relux.Store(
            .init(middleware: isMiddleware ? [middleware] : [], observers: isMiddleware ? [] : [observer])
        ) { Ledger.Module() }
        link.connect(to: store)

        await store.dispatch(Ledger.Write(number: 0))
        let afterOne = try await store.state(of: Ledger.State.self).writes
        await store.dispatch(contentsOf: (1...3).map { Ledger.Write(number: $0) })
        let afterBatch = try await store.state(of: Ledger.State.self).writes

        #expect(afterOne.map(\.writer) == [0, 1])
        #expect(afterBatch.map(\.number) == [0, 0, 1, 2, 3, 1, 2, 3])
        #expect(afterBatch.map(\.writer) == [0, 1, 0, 0, 0, 1, 1, 1])
    }

    @Test("what a selection sends is reduced after the selection")
    func selectionsSend() async throws {
        let store = try await store()

        let before = await store.read { reader in
            store.send(Ledger.Write(number: 7))
            return reader[Ledger.State.self]?.writes.count
        }

        #expect(before == 0)
        #expect(try await store.state(of: Ledger.State.self).numbers(of: 0) == [7])
    }
}
