import Relux
import ReluxTesting
import Testing

@Suite("Law 2: program order", .timeLimit(.minutes(10)))
struct Law02ProgramOrderTests {
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

    /// Counts the writes that are reduced while it is registered.
    private struct Guest: Relux.State {
        typealias Action = Never

        var count = 0

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Guest()] }
            var dependencies: [any Relux.Module] { [Ledger.Module()] }
            var reducers: [Relux.Reducer] {
                [.init(of: Guest.self, on: Ledger.Write.self) { guest, _ in guest.count += 1 }]
            }
        }
    }

    @Test("a registration is ordered after earlier sends and before later ones")
    func registrationsKeepTheOrder() async throws {
        let store = try await store()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round))
            if round.isMultiple(of: 2) {
                try await store.register(Guest.Module())
                store.send(Ledger.Write(number: round))
                #expect(try await store.state(of: Guest.self).count == 1)
                await store.unregister(Guest.Module.self)
            } else {
                let lease = try await store.attach(Guest.Module())
                store.send(Ledger.Write(number: round))
                #expect(try await store.state(of: Guest.self).count == 1)
                await lease.end()
            }
        }
    }

    @Test("an unregistration is ordered after earlier sends")
    func unregistrationsFollowSends() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }

        for round in 0..<Self.rounds {
            try await store.register(Guest.Module())
            store.send(Ledger.Write(number: round))
            await store.unregister(Guest.Module.self)
        }

        let taking = observer.records.entries.map { $0.states.count }
        #expect(taking == Array(repeating: 2, count: Self.rounds))
    }

    @Test("a released lease gives up its module after earlier sends and before whatever the task does next")
    func releasedLeasesKeepTheOrder() async throws {
        let observer = TraceObserver()
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }

        for round in 0..<Self.rounds {
            var lease: Relux.Lease? = try await store.attach(Guest.Module())
            store.send(Ledger.Write(writer: 0, number: round))
            #expect(lease != nil)
            lease = nil
            store.send(Ledger.Write(writer: 1, number: round))
        }
        await store.dispatch(Ledger.Write(writer: 2, number: 0))

        let records = observer.records.entries.dropLast()
        #expect(records.count == Self.rounds * 2)
        #expect(records.allSatisfy { $0.states.count == (($0.action as? Ledger.Write)?.writer == 0 ? 2 : 1) })
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
        let observer = TraceObserver()
        let finished = Trace<String>()
        let store = try await Relux.Store(.init(observers: [observer])) {
            WorkSaga { work, context in
                try await context.sleep(for: .seconds(1_000_000))
                finished.note(work.name)
            }.module()
        }

        for round in 0..<Self.rounds {
            store.send(Work(name: "\(round)"))
            await store.cancel(WorkSaga.self)
        }
        try await store.idle()

        let ends = observer.trace.entries.filter { $0.hasPrefix("end") }
        #expect(ends.count == Self.rounds)
        #expect(ends.allSatisfy { $0.hasSuffix("cancelled") })
        #expect(finished.entries.isEmpty)
    }

    @Test("waiting for idleness includes what was sent before it")
    func idlenessFollowsSends() async throws {
        let ended = Trace<String>()
        let store = try await Relux.Store { WorkSaga { work, _ in ended.note(work.name) }.module() }

        for round in 0..<Self.rounds {
            store.send(Work(name: "\(round)"))
            try await store.idle()

            #expect(ended.entries.last == "\(round)")
        }
    }

    @Test("a shutdown is ordered after earlier sends")
    func shutdownFollowsSends() async throws {
        for round in 0..<50 {
            let observer = TraceObserver()
            let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }

            store.send(Ledger.Write(number: round))
            await store.shutdown()

            #expect(observer.records.entries.count == 1)
            #expect(observer.refusals.entries.isEmpty)
        }
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

    @Test("the sends of each of eight tasks stay in order")
    func sendsKeepTheOrder() async throws {
        let store = try await store()
        let writers = 8
        let rounds = 500

        await withTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<rounds { store.send(Ledger.Write(writer: writer, number: number)) }
                }
            }
        }

        let state = try await store.state(of: Ledger.State.self)
        #expect(state.writes.count == writers * rounds)
        for writer in 0..<writers { #expect(state.numbers(of: writer) == Array(0..<rounds)) }
    }

    @Test("sends are reduced without any other call")
    func sendsAreCollected() async throws {
        let stream: Relux.ActionStream<Ledger.Write>
        let store = try await store()
        stream = store.actionStream(of: Ledger.Write.self)
        var iterator = stream.makeAsyncIterator()

        for round in 0..<Self.rounds {
            store.send(Ledger.Write(number: round))

            #expect(await iterator.next() == Ledger.Write(number: round))
        }
    }

    // MARK: From inside

    @Test("a run's sends are reduced before whatever it does next")
    func contextsKeepTheOrder() async throws {
        let seen = Trace<[Int]>()
        let saga = WorkSaga { _, context in
            for round in 0..<Self.rounds {
                context.send(Ledger.Write(number: round * 3))
                await context.dispatch(Ledger.Write(number: round * 3 + 1))
                context.send(Ledger.Write(number: round * 3 + 2))
                seen.note(try await context.state(of: Ledger.State.self).writes.suffix(3).map(\.number))
            }
        }
        let store = try await Relux.Store {
            Ledger.Module()
            saga.module()
        }

        try await store.perform(Work())

        #expect(seen.entries == (0..<Self.rounds).map { [$0 * 3, $0 * 3 + 1, $0 * 3 + 2] })
    }

    @Test("what an observer sends is reduced, in order, after the action that was reported")
    func observersSend() async throws {
        let link = StoreLink()
        let observer = HookObserver(onAction: { record in
            guard let write = record.action as? Ledger.Write, write.writer == 0 else { return }
            link.store?.send(Ledger.Write(writer: 1, number: write.number))
        })
        let store = try await Relux.Store(.init(observers: [observer])) { Ledger.Module() }
        link.connect(to: store)

        await store.dispatch(Ledger.Write(number: 0))
        let afterOne = try await store.state(of: Ledger.State.self).writes
        await store.dispatch(contentsOf: (1...3).map { Ledger.Write(number: $0) })
        let afterBatch = try await store.state(of: Ledger.State.self).writes

        #expect(afterOne.map(\.writer) == [0, 1])
        #expect(afterBatch.map(\.number) == [0, 0, 1, 2, 3, 1, 2, 3])
        #expect(afterBatch.map(\.writer) == [0, 1, 0, 0, 0, 1, 1, 1])
    }

    @Test("what a middleware sends is reduced, in order, after the action that it saw")
    func middlewareSends() async throws {
        let link = StoreLink()
        let middleware = HookMiddleware { action, _ in
            if let write = action as? Ledger.Write, write.writer == 0 {
                link.store?.send(Ledger.Write(writer: 1, number: write.number))
            }
            return .proceed
        }
        let store = try await Relux.Store(.init(middleware: [middleware])) { Ledger.Module() }
        link.connect(to: store)

        await store.dispatch(Ledger.Write(number: 0))
        _ = try await store.state(of: Ledger.State.self)
        await store.dispatch(contentsOf: [Ledger.Write(number: 1), Ledger.Write(number: 2)])
        let state = try await store.state(of: Ledger.State.self)

        #expect(state.writes.map(\.number) == [0, 0, 1, 2, 1, 2])
        #expect(state.writes.map(\.writer) == [0, 1, 0, 0, 1, 1])
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
