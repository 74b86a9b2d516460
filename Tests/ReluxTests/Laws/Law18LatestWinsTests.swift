import Relux
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

    @Test("the values of one state end when its module is unregistered", arguments: [Form.whole, .selection])
    func valuesEndWithTheModule(form: Form) async throws {
        let store = try await store()
        let gate = Gate()
        let seen = Trace<Int>()

        async let reading: Void = form.forEach(in: store) { loads in
            seen.note(loads)
            gate.open()
            return true
        }
        await gate.pass()
        await store.unregister(Scales.Module.self)
        await reading

        #expect(seen.entries == [0])
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

    // MARK: Selections over a reader

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

    @Test("a selection over a reader ends if it reads a state that no module owns by `state(of:)`")
    func missingStatesThrow() async throws {
        let observer = TraceObserver()
        let store = Relux.Store(.init(observers: [observer]))
        var values = store.values { reader in try reader.state(of: Scales.Left.self).loads }.makeAsyncIterator()

        #expect(await values.next() == nil)
        #expect(observer.refusals.entries.count == 1)
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
