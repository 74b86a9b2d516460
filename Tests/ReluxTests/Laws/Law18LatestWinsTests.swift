import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 18: latest wins", .timeLimit(.minutes(10)))
struct Law18LatestWinsTests {
    /// The three kinds of values. Each is represented by the number of loads on the left scale.
    enum Form: CaseIterable, Sendable {
        case whole, selection, selectionOverReader

        /// Iterates over the values until the body returns false or they end.
        func forEach(in store: Relux.Store, _ body: @Sendable (Int) async -> Bool) async {
            switch self {
            case .whole:
                for await left in store.values(of: Scales.Left.self) where await !body(left.loads) { return }
            case .selection:
                for await loads in store.values(of: Scales.Left.self, \.loads) where await !body(loads) { return }
            case .selectionOverReader:
                let values = store.values { reader in reader[Scales.Left.self]?.loads ?? -1 }
                for await loads in values where await !body(loads) { return }
            }
        }
    }

    private static let total = 300

    private func store() async throws -> Relux.Store {
        try await Relux.Store { Scales.Module() }
    }

    // MARK: Which values are delivered

    @Test("the current value is delivered first", arguments: Form.allCases)
    func currentValueFirst(form: Form) async throws {
        let store = try await store()
        for _ in 0..<3 { await store.dispatch(Scales.Load()) }
        let seen = Trace<Int>()

        await form.forEach(in: store) { loads in
            seen.note(loads)
            return false
        }

        #expect(seen.entries == [3])
    }

    @Test(
        "values never go back, and the last one is always delivered, while many tasks write", arguments: Form.allCases)
    func lastValueArrives(form: Form) async throws {
        for _ in 0..<10 {
            let store = try await store()

            let seen = await withTaskGroup { group in
                for writer in 0..<3 {
                    group.addTask {
                        for round in 0..<Self.total / 3 {
                            if (writer + round).isMultiple(of: 2) {
                                store.send(Scales.Load())
                            } else {
                                await store.dispatch(Scales.Load())
                            }
                        }
                        return [Int]()
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        let seen = Trace<Int>()
                        await form.forEach(in: store) { loads in
                            seen.note(loads)
                            return loads < Self.total
                        }
                        return seen.entries
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.filter { !$0.isEmpty }
            }

            #expect(seen.count == 2)
            for values in seen {
                #expect(values.last == Self.total)
                #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    @Test("a reader that keeps up gets every value", arguments: Form.allCases)
    func everyValueToAQuickReader(form: Form) async throws {
        let store = try await store()
        let seen = Trace<Int>()

        await form.forEach(in: store) { loads in
            seen.note(loads)
            await store.dispatch(Scales.Load())
            return loads < 20
        }

        #expect(seen.entries == Array(0...20))
    }

    @Test("a slow reader skips the values in between and then waits", arguments: Form.allCases)
    func slowReadersSkip(form: Form) async throws {
        let store = try await store()
        let seen = Trace<Int>()

        await form.forEach(in: store) { loads in
            seen.note(loads)
            for _ in 0..<5 { await store.dispatch(Scales.Load()) }
            return loads < 15
        }

        #expect(seen.entries == [0, 5, 10, 15])
    }

    @Test("a reader that is busy elsewhere delays nothing", arguments: Form.allCases)
    func readersDelayNothing(form: Form) async throws {
        let store = try await store()
        let gate = Gate()
        let seen = Trace<Int>()

        async let reading: Void = form.forEach(in: store) { loads in
            seen.note(loads)
            await gate.pass()
            return loads < 100
        }
        await gate.arrivals()
        for _ in 0..<100 { await store.dispatch(Scales.Load()) }
        gate.open()
        await reading

        #expect(seen.entries == [0, 100])
    }

    @Test("a waiting reader is woken by the next change", arguments: Form.allCases)
    func waitingReadersAreWoken(form: Form) async throws {
        let store = try await store()
        let heard = Trace<Int>()
        let gates = (0...30).map { _ in Gate() }

        async let reading: Void = form.forEach(in: store) { loads in
            heard.note(loads)
            gates[loads].open()
            return loads < 30
        }
        for round in 0..<30 {
            await gates[round].pass()
            await store.dispatch(Scales.Load())
        }
        await reading

        #expect(heard.entries == Array(0...30))
    }

    @Test("whole states are delivered once per version, even if a reduction left them unchanged")
    func everyReductionCounts() async throws {
        let store = try await Relux.Store { Touchy.Module() }
        var values = store.values(of: Touchy.self).makeAsyncIterator()

        let first = await values.next()
        await store.dispatch(Touchy.Action.touch)
        let second = await values.next()
        async let third = values.next()
        await store.dispatch(Touchy.Action.set(1))

        #expect(first == Touchy(number: 0))
        #expect(second == Touchy(number: 0))
        #expect(await third == Touchy(number: 1))
    }

    /// A state that can be reduced without being changed.
    struct Touchy: Relux.State {
        var number = 0

        enum Action: Relux.Action { case touch, set(Int) }

        mutating func reduce(_ action: Action) {
            if case .set(let number) = action { self.number = number }
        }

        struct Module: Relux.Module {
            var states: [any Relux.State] { [Touchy()] }
        }
    }

    @Test("a selection never delivers a value equal to the previous one", arguments: [false, true])
    func selectionsNeverRepeat(isOverReader: Bool) async throws {
        let store = try await store()
        let values =
            isOverReader
            ? store.values { reader in (reader[Scales.Left.self]?.loads ?? 0) / 7 }
            : store.values(of: Scales.Left.self) { $0.loads / 7 }
        let last = Self.total / 7

        async let writing: Void = {
            for _ in 0..<Self.total { await store.dispatch(Scales.Load()) }
        }()
        var seen: [Int] = []
        for await value in values {
            seen.append(value)
            if value == last { break }
        }
        await writing

        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
        #expect(seen.last == last)
    }

    @Test("nil is delivered by a selection like any other value")
    func optionalSelections() async throws {
        let store = try await store()
        var values = store.values(of: Scales.Left.self) { $0.loads == 1 ? nil : $0.loads }.makeAsyncIterator()
        var overReader = store.values { reader in reader[Log.self]?.entries.first }.makeAsyncIterator()

        let zero = await values.next()
        await store.dispatch(Scales.Load())
        let none = await values.next()
        let missing = await overReader.next()

        #expect(zero == .some(.some(0)))
        #expect(none == .some(.none))
        #expect(missing == .some(.none))
    }

    @Test("a reset is a change like any other", arguments: Form.allCases)
    func resetsAreChanges(form: Form) async throws {
        let store = try await store()
        await store.dispatch(Scales.Load())
        let seen = Trace<Int>()

        await form.forEach(in: store) { loads in
            seen.note(loads)
            await store.reset()
            return loads == 1
        }

        #expect(seen.entries == [1, 0])
    }

    // MARK: How values end

    @Test("cancelling the iterating task ends its values, whether it is waiting or not", arguments: Form.allCases)
    func cancellationEnds(form: Form) async throws {
        let store = try await store()

        for _ in 0..<100 {
            let gate = Gate()
            let reading = Task {
                await form.forEach(in: store) { _ in
                    gate.open()
                    return true
                }
            }
            await gate.pass()
            reading.cancel()
            await reading.value
        }
    }

    @Test("in a task that is already cancelled, no value is delivered", arguments: Form.allCases)
    func cancelledFromTheStart(form: Form) async throws {
        let store = try await store()
        let seen = Trace<Int>()

        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await form.forEach(in: store) { loads in
                    seen.note(loads)
                    return true
                }
            }
        }

        #expect(seen.entries.isEmpty)
    }

    @Test(
        "the values end with the store, whether it is released or shut down", arguments: Form.allCases, [false, true])
    func valuesEndWithTheStore(form: Form, isReleased: Bool) async throws {
        for _ in 0..<20 {
            let gate = Gate()
            var store: Relux.Store? = try await self.store()
            let values = [
                store.map { $0.values(of: Scales.Left.self) { $0.loads } },
                store.map { $0.values { reader in reader[Scales.Left.self]?.loads ?? -1 } },
            ].compactMap { $0 }
            let whole = store.map { $0.values(of: Scales.Left.self) }
            let reading = Task {
                switch form {
                case .whole: if let whole { for await _ in whole { gate.open() } }
                case .selection: for await _ in values[0] { gate.open() }
                case .selectionOverReader: for await _ in values[1] { gate.open() }
                }
            }
            await gate.pass()

            if !isReleased { await store?.shutdown() }
            store = nil

            await reading.value
        }
    }

    @Test("the values don't continue with the state of another registration", arguments: [Form.whole, .selection])
    func valuesStayWithTheirRegistration(form: Form) async throws {
        let store = try await store()
        let seen = Trace<Int>()

        await form.forEach(in: store) { loads in
            seen.note(loads)
            await store.unregister(Scales.Module.self)
            _ = try? await store.register(Scales.Module())
            await store.dispatch(Scales.Load())
            return true
        }
        await form.forEach(in: store) { loads in
            seen.note(loads)
            return false
        }

        #expect(seen.entries == [0, 1])
    }

    @Test(
        "a state that no module owns has no values, and the read is reported", arguments: [Form.whole, .selection])
    func missingStates(form: Form) async throws {
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))

        await form.forEach(in: store) { _ in true }

        #expect(observer.refusals.entries.count == 1)
        guard case .stateNotOwned(let state)? = observer.refusals.entries.first?.reason else {
            Issue.record("\(observer.refusals.entries)")
            return
        }
        #expect(ObjectIdentifier(state) == ObjectIdentifier(Scales.Left.self))
    }

    /// What goes, and how its readers learn of it.
    enum Removal: CaseIterable, Sendable {
        case child, childInTheSameStep, module, moduleOfAnInstance

        var isOfInstance: Bool { self == .child || self == .childInTheSameStep }

        /// A store with a chat whose values are read.
        func makeStore(on world: SeededExecutor) async throws -> Relux.Store {
            let store = Relux.Store(.init(executor: world))
            switch self {
            case .child, .childInTheSameStep:
                try await store.register(Inbox.Module())
                await store.dispatch(Inbox.State.Action.open("a"))
            case .module: try await store.register(Part<TagA>(states: [Chat.State()]))
            case .moduleOfAnInstance:
                try await store.register(Scales.Module(), Chat.Module(id: "a", dependencies: []))
                try await store.scope(of: Chat.Module.self, id: "a").register(Part<TagA>(states: [Log()]))
            }
            return store
        }

        /// Reads how many messages there are.
        func forEach(_ form: Form, in store: Relux.Store, _ body: @Sendable (Int) async -> Void) async {
            let scope = store.scope(of: Chat.Module.self, id: "a")
            switch (self, form) {
            case (.module, .whole):
                for await chat in store.values(of: Chat.State.self) { await body(chat.messages.count) }
            case (.module, _):
                for await count in store.values(of: Chat.State.self, { $0.messages.count }) { await body(count) }
            case (.moduleOfAnInstance, .whole):
                for await log in scope.values(of: Log.self) { await body(log.entries.count) }
            case (.moduleOfAnInstance, _):
                for await count in scope.values(of: Log.self, { $0.entries.count }) { await body(count) }
            case (_, .whole):
                for await chat in scope.values(of: Chat.State.self) { await body(chat.messages.count) }
            case (_, .selection):
                for await count in scope.values(of: Chat.State.self, { $0.messages.count }) { await body(count) }
            case (_, .selectionOverReader):
                let values = scope.values { reader in reader[Chat.State.self]?.messages.count ?? -1 }
                for await count in values { await body(count) }
            }
        }

        func change(_ store: Relux.Store) async {
            let scope = store.scope(of: Chat.Module.self, id: "a")
            switch self {
            case .child: await scope.dispatch(Chat.State.Action.received("last"))
            case .childInTheSameStep: break
            case .module: await store.dispatch(Chat.State.Action.received("last"))
            case .moduleOfAnInstance: await scope.dispatch(Log.Action.add("last"))
            }
        }

        func remove(from store: Relux.Store) async {
            switch self {
            case .child: await store.dispatch(Inbox.State.Action.close("a"))
            case .childInTheSameStep:
                await store.dispatch {
                    Relux.ChildAction(Chat.Module.self, id: "a", Chat.State.Action.received("last"))
                    Inbox.State.Action.close("a")
                }
            case .module: await store.unregister(Part<TagA>.self)
            case .moduleOfAnInstance:
                await store.scope(of: Chat.Module.self, id: "a").unregister(Part<TagA>.self)
            }
        }
    }

    // The last value was lost in 195 of 200 tries: the removal ended the reader before its task had come to take it.
    @Test(
        "what goes right after a change leaves its last value to its readers, which then end",
        arguments: Removal.allCases, Form.allCases)
    func lastValueOfWhatGoes(removal: Removal, form: Form) async throws {
        for seed in 0..<50 as Range<UInt64> {
            let world = SeededExecutor(seed: seed)
            let store = try await removal.makeStore(on: world)
            let seen = Trace<Int>()
            let reading = await world.settle { await removal.forEach(form, in: store) { seen.note($0) } }

            await world.settle {
                await removal.change(store)
                await removal.remove(from: store)
            }
            try await reading.value

            #expect(seen.entries == [0, 1], "seed \(seed)")
        }
    }

    @Test(
        "a reader that is busy while something changes and goes gets the last value afterwards",
        arguments: Removal.allCases, Form.allCases)
    func lastValueForABusyReader(removal: Removal, form: Form) async throws {
        let world = SeededExecutor(seed: 18)
        let store = try await removal.makeStore(on: world)
        let (seen, gate) = (Trace<Int>(), Gate())
        let reading = await world.settle {
            await removal.forEach(form, in: store) { count in
                seen.note(count)
                await gate.pass()
            }
        }

        await removal.change(store)
        await removal.remove(from: store)
        gate.open()
        await world.rest()
        try await reading.value

        #expect(seen.entries == [0, 1])
    }

    @Test(
        "a last value that was delivered already isn't repeated when something goes",
        arguments: Removal.allCases.filter { $0 != .childInTheSameStep }, Form.allCases)
    func lastValueOnce(removal: Removal, form: Form) async throws {
        let world = SeededExecutor(seed: 18)
        let store = try await removal.makeStore(on: world)
        let seen = Trace<Int>()
        let reading = await world.settle { await removal.forEach(form, in: store) { seen.note($0) } }

        await world.settle { await removal.change(store) }
        await world.settle { await removal.remove(from: store) }
        try await reading.value

        #expect(seen.entries == [0, 1])
    }

    // MARK: Selections over a reader

    @Test("a selection from instances isn't made in the step that changes and closes one of them, but later")
    func selectionsOfWhatGoes() async throws {
        let world = SeededExecutor(seed: 18)
        let store = try await Removal.childInTheSameStep.makeStore(on: world)
        let seen = Trace<Int>()
        let reading = await world.settle {
            let values = store.values { reader in
                reader.states(of: Chat.State.self, in: Chat.Module.self).map(\.state.messages.count)
            }
            for await counts in values { seen.note(counts.reduce(10 * counts.count, +)) }
        }

        await Removal.childInTheSameStep.remove(from: store)
        await world.rest()
        reading.cancel()

        #expect(seen.entries == [10, 0])
    }

    @Test("a selection over a reader continues when its state disappears and reappears")
    func readerSelectionsOutliveModules() async throws {
        let store = try await store()
        await store.dispatch(Scales.Load(weight: 5))
        var values = store.values { reader in reader[Scales.Left.self]?.weight }.makeAsyncIterator()

        let present = await values.next()
        async let gone = values.next()
        await store.unregister(Scales.Module.self)
        let afterGoing = await gone
        async let back = values.next()
        try await store.register(Scales.Module())
        let afterComing = await back

        #expect(present == .some(.some(5)))
        #expect(afterGoing == .some(.none))
        #expect(afterComing == .some(.some(0)))
    }

    @Test("a selection over a reader is woken when a missing state appears")
    func missingStatesAppear() async throws {
        for _ in 0..<50 {
            let store = Relux.Store()
            var values = store.values { reader in reader[Scales.Left.self] != nil }.makeAsyncIterator()

            let before = await values.next()
            async let next = values.next()
            try await store.register(Scales.Module())

            #expect(before == false)
            #expect(await next == true)
        }
    }

    // It was told of instances that appear and go, but not of states that do so in one that stays, and never looked at
    // such a state again.
    @Test("a selection from the states of instances is woken when a state appears, changes, or goes in one of them")
    func statesOfInstances() async throws {
        let world = SeededExecutor(seed: 18)
        let store = Relux.Store(.init(executor: world))
        try await store.register(Chat.Module(id: "a"), Chat.Module(id: "b"))
        let a = store.scope(of: Chat.Module.self, id: "a")
        let seen = Trace<[String]>()
        let reading = await world.settle {
            let values = store.values { reader in
                reader.states(of: Counter<TagA>.self, in: Chat.Module.self).map { "\($0.id) \($0.state.value)" }
            }
            for await counts in values { seen.note(counts) }
        }

        await world.settle { try await a.register(Part<TagA>.counting()) }
        await world.settle { await a.dispatch(Counter<TagA>.Add()) }
        await world.settle { await a.unregister(Part<TagA>.self) }
        await world.settle { try await a.register(Part<TagA>.counting(from: 5)) }
        await world.settle { await a.dispatch(Counter<TagA>.Add()) }

        #expect(seen.entries == [[], ["a 0"], ["a 1"], [], ["a 5"], ["a 6"]])
        reading.cancel()
        await world.rest()
    }

    // It went on following the state that had gone.
    @Test("a selection follows a state of an instance that goes and comes back between two looks")
    func statesThatComeBack() async throws {
        let world = SeededExecutor(seed: 18)
        let store = Relux.Store(.init(executor: world))
        try await store.register(Chat.Module(id: "a"))
        let a = store.scope(of: Chat.Module.self, id: "a")
        try await a.register(Part<TagA>.counting())
        let (seen, gate) = (Trace<[Int]>(), Gate())
        let reading = await world.settle {
            let values = store.values { reader in
                reader.states(of: Counter<TagA>.self, in: Chat.Module.self).map(\.state.value)
            }
            for await counts in values {
                seen.note(counts)
                await gate.pass()
            }
        }

        // Equal to what was seen.
        await a.unregister(Part<TagA>.self)
        try await a.register(Part<TagA>.counting())
        gate.open()
        await world.rest()
        let before = seen.entries
        await world.settle { await a.dispatch(Counter<TagA>.Add()) }

        #expect(before == [[0]])
        #expect(seen.entries == [[0], [1]])
        reading.cancel()
        await world.rest()
    }

    @Test("a selection over a reader ends when its closure throws")
    func throwingSelectionsEnd() async throws {
        let store = try await store()
        var values = store.values { reader in
            let loads = reader[Scales.Left.self]?.loads ?? 0
            guard loads < 2 else { throw TestFailure() }
            return loads
        }.makeAsyncIterator()

        let zero = await values.next()
        await store.dispatch(Scales.Load())
        let one = await values.next()
        await store.dispatch(Scales.Load())
        let end = await values.next()
        await store.reset()
        let afterTheEnd = await values.next()

        #expect(zero == 0)
        #expect(one == 1)
        #expect(end == nil)
        #expect(afterTheEnd == nil)
    }

    @Test("a selection that reads nothing delivers one value and ends with the store")
    func constantSelections() async throws {
        let gate = Gate()
        var store: Relux.Store? = try await store()
        let values = store.map { $0.values { _ in 7 } }
        let reading = Task {
            var seen: [Int] = []
            if let values {
                for await value in values {
                    seen.append(value)
                    gate.open()
                }
            }
            return seen
        }
        await gate.pass()
        await store?.dispatch(Scales.Load())
        store = nil

        #expect(await reading.value == [7])
    }

    @Test("iterators are independent of each other")
    func iteratorsAreIndependent() async throws {
        let store = try await store()
        let values = store.values(of: Scales.Left.self, \.loads)
        var first = values.makeAsyncIterator()

        let before = await first.next()
        await store.dispatch(Scales.Load())
        var second = values.makeAsyncIterator()
        let late = await second.next()
        let next = await first.next()

        #expect(before == 0)
        #expect(late == 1)
        #expect(next == 1)
    }
}
