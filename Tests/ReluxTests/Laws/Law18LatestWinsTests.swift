import Relux
import ReluxTesting
import TestFixtures
import Testing

@Suite("Law 18: latest wins", .timeLimit(.minutes(10)))
struct Law18LatestWinsTests: Staged {
    let scene = Scene()
    private let world = SeededExecutor(seed: 18)

    /// The three kinds of values. Each is represented by the number of loads on the left scale.
    enum Form: CaseIterable, Sendable {
        case whole, selection, selectionOverReader

        /// Iterates over the values until the body returns false or they end, and returns them.
        @discardableResult
        func read(
            in store: Relux.Store, while body: @escaping @Sendable (Int) async -> Bool = { _ in true }
        ) async -> [Int] {
            switch self {
            case .whole: await read(store.values(of: Scales.Left.self), \.loads, while: body)
            case .selection: await read(store.values(of: Scales.Left.self, \.loads), \.self, while: body)
            case .selectionOverReader:
                await read(store.values { $0[Scales.Left.self]?.loads ?? -1 }, \.self, while: body)
            }
        }

        private func read<Value>(
            _ values: Relux.StateValues<Value>, _ number: (Value) -> Int, while body: (Int) async -> Bool
        ) async -> [Int] {
            var seen: [Int] = []
            for await value in values {
                seen.append(number(value))
                guard await body(number(value)) else { break }
            }
            return seen
        }
    }

    private static let total = 300

    private func store() async throws -> Relux.Store {
        try await Relux.Store { Scales.Module() }
    }

    // MARK: Which values are delivered

    /// What happens whenever a reader has got a value.
    enum Meanwhile: CaseIterable, Sendable {
        case nothing, oneLoad, fiveLoads, reset

        func happen(in store: Relux.Store) async {
            switch self {
            case .nothing: break
            case .oneLoad: await store.dispatch(Scales.Load())
            case .fiveLoads: for _ in 0..<5 { await store.dispatch(Scales.Load()) }
            case .reset: await store.reset()
            }
        }

        /// What a reader gets that begins after three loads.
        var values: [Int] {
            switch self {
            case .nothing: [3]
            case .oneLoad: Array(3...20)
            case .fiveLoads: [3, 8, 13, 18, 23]
            case .reset: [3, 0]
            }
        }
    }

    @Test(
        "the current value comes first, then each one to a quick reader, and the newest to a slow one, which delays nothing",
        arguments: Form.allCases, Meanwhile.allCases)
    func deliveredValues(form: Form, meanwhile: Meanwhile) async throws {
        let store = try await store()
        for _ in 0..<3 { await store.dispatch(Scales.Load()) }
        let last = meanwhile.values.last

        let seen = await form.read(in: store) { loads in
            if loads != last { await meanwhile.happen(in: store) }
            return loads != last
        }

        #expect(seen == meanwhile.values)
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
                for _ in 0..<2 { group.addTask { await form.read(in: store) { $0 < Self.total } } }
                return await group.reduce(into: []) { $0.append($1) }.filter { !$0.isEmpty }
            }

            #expect(seen.count == 2)
            for values in seen {
                #expect(values.last == Self.total)
                #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }

    @Test("whole states are delivered once per version, even if a reduction left them unchanged")
    func everyReductionCounts() async throws {
        let store = try await Relux.Store { ReluxTests.Form.Module() }
        var values = store.values(of: ReluxTests.Form.self).makeAsyncIterator()

        let first = await values.next()
        await store.dispatch(ReluxTests.Form.Action.ignored)
        let second = await values.next()
        async let third = values.next()
        await store.dispatch(ReluxTests.Form.Action.counted)

        #expect(first?.count == 0)
        #expect(second?.count == 0)
        #expect(await third?.count == 1)
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

        let zero = await values.next()
        await store.dispatch(Scales.Load())
        let none = await values.next()

        #expect(zero == .some(.some(0)))
        #expect(none == .some(.none))
    }

    /// Reads in a new task, and returns when the first value is there.
    private func reading(_ form: Form, in store: Relux.Store) async -> Task<[Int], Never> {
        let hasBegun = Gate()
        let reading = Task {
            await form.read(in: store) { _ in
                hasBegun.open()
                return true
            }
        }
        await hasBegun.pass()
        return reading
    }

    @Test("cancelling the iterating task ends its values, whether it is waiting or not", arguments: Form.allCases)
    func cancellationEnds(form: Form) async throws {
        let store = try await store()

        for _ in 0..<100 {
            let reading = await self.reading(form, in: store)
            reading.cancel()
            _ = await reading.value
        }
    }

    @Test("in a task that is already cancelled, no value is delivered", arguments: Form.allCases)
    func cancelledFromTheStart(form: Form) async throws {
        let store = try await store()

        let reading = Task {
            await gate.pass()
            return await form.read(in: store)
        }
        reading.cancel()
        gate.open()

        #expect(await reading.value == [])
    }

    @Test("the values end when the store is shut down", arguments: Form.allCases)
    func valuesEndWithTheStore(form: Form) async throws {
        let store = try await store()
        let reading = await self.reading(form, in: store)

        await store.shutdown()

        #expect(await reading.value == [0])
    }

    @Test("the values don't continue with the state of another registration", arguments: [Form.whole, .selection])
    func valuesStayWithTheirRegistration(form: Form) async throws {
        let store = try await store()

        let first = await form.read(in: store) { _ in
            await store.unregister(Scales.Module.self)
            _ = try? await store.register(Scales.Module())
            await store.dispatch(Scales.Load())
            return true
        }
        let second = await form.read(in: store) { _ in false }

        #expect(first == [0])
        #expect(second == [1])
    }

    @Test(
        "a state that no module owns has no values, and the read is reported", arguments: [Form.whole, .selection])
    func missingStates(form: Form) async throws {
        let store = try await makeStore(observers: [observer])

        #expect(await form.read(in: store) == [])

        #expect(observer.reasons == ["stateNotOwned"])
        guard case .stateNotOwned(let state)? = observer.refusals.entries.first?.reason else { return }
        #expect(ObjectIdentifier(state) == ObjectIdentifier(Scales.Left.self))
    }

    /// What goes, and how its readers learn of it.
    enum Removal: CaseIterable, Sendable {
        case child, childInTheSameStep, grandchild, module, moduleOfAnInstance

        /// A store with a log whose values are read.
        func makeStore(on world: SeededExecutor) async throws -> Relux.Store {
            let store = Relux.Store(.init(executor: world))
            try await store.register(Pages.Module { InstancePart.logging($0) })
            await store.dispatch(Pages.Action.open("a"))
            switch self {
            case .child, .childInTheSameStep: break
            case .grandchild: try await page(in: store).register(Chat.Module(id: "a"))
            case .module, .moduleOfAnInstance:
                try await store.register(Chat.Module(id: "a"))
                try await place(in: store).register(Log.Module())
            }
            return store
        }

        private func page(in store: Relux.Store) -> Relux.Scope { store.scope(of: InstancePart.self, id: "a") }

        /// Where the log is read.
        private func place(
            in store: Relux.Store
        ) -> any Relux.StateReading & Relux.ActionDispatching & Relux.ModuleManaging {
            switch self {
            case .child, .childInTheSameStep: page(in: store)
            case .grandchild: page(in: store).scope(of: Chat.Module.self, id: "a")
            case .module: store
            case .moduleOfAnInstance: store.scope(of: Chat.Module.self, id: "a")
            }
        }

        /// Reads how many entries there are.
        func forEach(_ form: Form, in store: Relux.Store, _ body: @Sendable (Int) async -> Void) async {
            let place = place(in: store)
            switch form {
            case .whole: for await log in place.values(of: Log.self) { await body(log.entries.count) }
            case .selection: for await count in place.values(of: Log.self, { $0.entries.count }) { await body(count) }
            case .selectionOverReader where self != .module && self != .moduleOfAnInstance:
                for await count in place.values({ $0[Log.self]?.entries.count ?? -1 }) { await body(count) }
            // It would go on without the module.
            case .selectionOverReader: await forEach(.selection, in: store, body)
            }
        }

        func change(_ store: Relux.Store) async {
            guard self != .childInTheSameStep else { return }
            await place(in: store).dispatch(Log.Action.add("last"))
        }

        func remove(from store: Relux.Store) async {
            switch self {
            case .child, .grandchild: await store.dispatch(Pages.Action.close("a"))
            case .childInTheSameStep:
                await store.dispatch {
                    Relux.ChildAction(InstancePart.self, id: "a", Log.Action.add("last"))
                    Pages.Action.close("a")
                }
            case .module, .moduleOfAnInstance: await place(in: store).unregister(Log.Module.self)
            }
        }
    }

    // The last value was lost in 195 of 200 tries: the removal ended the reader before its task had come to take it.
    @Test(
        "what goes after a change leaves its last value, once, to its readers, a busy one as well, which then end",
        arguments: Removal.allCases, Form.allCases)
    func lastValueOfWhatGoes(removal: Removal, form: Form) async throws {
        for seed in 0..<50 as Range<UInt64> {
            let (world, gate) = (SeededExecutor(seed: seed), Gate())
            let store = try await removal.makeStore(on: world)
            let (quick, busy) = (Trace<Int>(), Trace<Int>())
            let quickReading = await world.settle { await removal.forEach(form, in: store) { quick.note($0) } }
            let busyReading = await world.settle {
                await removal.forEach(form, in: store) { count in
                    busy.note(count)
                    await gate.pass()
                }
            }

            await world.settle {
                await removal.change(store)
                if seed.isMultiple(of: 2) { await removal.remove(from: store) }
            }
            if !seed.isMultiple(of: 2) { await world.settle { await removal.remove(from: store) } }
            await world.open(gate)
            try await quickReading.value
            try await busyReading.value

            #expect(quick.entries == [0, 1], "seed \(seed)")
            #expect(busy.entries == [0, 1], "seed \(seed)")
        }
    }

    /// Reads on the seeded executor, and passes a gate after each value.
    private func follow<Value>(
        _ values: Relux.StateValues<Value>, passing gate: Gate? = nil
    ) async -> (seen: Trace<Value>, reading: Task<Void, any Error>) {
        let seen = Trace<Value>()
        let reading = await world.settle {
            for await value in values {
                seen.note(value)
                await gate?.pass()
            }
        }
        return (seen, reading)
    }

    @Test("a selection from instances isn't made in the step that changes and closes one of them, but later")
    func selectionsOfWhatGoes() async throws {
        let store = try await Removal.childInTheSameStep.makeStore(on: world)
        let (seen, reading) = await follow(
            store.values { reader in reader.states(of: Log.self, in: InstancePart.self).map(\.state.entries.count) })

        await Removal.childInTheSameStep.remove(from: store)
        await world.rest()
        reading.cancel()

        #expect(seen.entries == [[0], []])
    }

    @Test("a selection over a reader is woken when its state appears, disappears, and reappears")
    func readerSelectionsOutliveModules() async throws {
        for _ in 0..<50 {
            let store = Relux.Store()
            var values = store.values { reader in reader[Scales.Left.self]?.weight }.makeAsyncIterator()

            let missing = await values.next()
            async let appeared = values.next()
            try await store.register(Scales.Module())
            let afterAppearing = await appeared
            async let gone = values.next()
            await store.unregister(Scales.Module.self)
            let afterGoing = await gone
            async let back = values.next()
            try await store.register(Scales.Module())

            #expect(missing == .some(.none))
            #expect(afterAppearing == .some(.some(0)))
            #expect(afterGoing == .some(.none))
            #expect(await back == .some(.some(0)))
        }
    }

    // It was told of instances that appear and go, but not of states that do so in one that stays, and never looked at
    // such a state again.
    @Test("a selection from the states of instances is woken when a state appears, changes, or goes in one of them")
    func statesOfInstances() async throws {
        let store = Relux.Store(.init(executor: world))
        try await store.register(Chat.Module(id: "a"), Chat.Module(id: "b"))
        let a = store.scope(of: Chat.Module.self, id: "a")
        let (seen, reading) = await follow(
            store.values { reader in
                reader.states(of: Counter<TagA>.self, in: Chat.Module.self).map { "\($0.id) \($0.state.value)" }
            })

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
        let store = Relux.Store(.init(executor: world))
        try await store.register(Chat.Module(id: "a"))
        let a = store.scope(of: Chat.Module.self, id: "a")
        try await a.register(Part<TagA>.counting())
        let (seen, reading) = await follow(
            store.values { reader in reader.states(of: Counter<TagA>.self, in: Chat.Module.self).map(\.state.value) },
            passing: gate)

        // Equal to what was seen.
        await a.unregister(Part<TagA>.self)
        try await a.register(Part<TagA>.counting())
        await world.open(gate)
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
}
