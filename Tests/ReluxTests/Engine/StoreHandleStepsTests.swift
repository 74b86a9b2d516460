import Relux
import ReluxTesting
import Testing

/// The steps that a tool makes on the caller's thread.
@Suite("Steps of a tool", .timeLimit(.minutes(5)))
struct StoreHandleStepsTests {
    private struct Tally: Relux.State {
        enum Action: Relux.Action { case increment }

        var count = 0

        mutating func reduce(_ action: Action) { count += 1 }
    }

    private struct TallyModule: Relux.Module {
        var states: [any Relux.State] { [Tally()] }
    }

    /// Notes the state after each action.
    private struct TallyReader: Relux.StoreObserver {
        let counts: Trace<Int?>

        func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
            counts.note(states[Tally.self]?.count)
        }
    }

    /// What a tool gets that makes a step, reads a state, and asks for idleness.
    private struct Answers: Equatable {
        let sequence: UInt64?
        let count: Int?
        let isIdle: Bool?

        static let none = Answers(sequence: nil, count: nil, isIdle: nil)

        init(sequence: UInt64?, count: Int?, isIdle: Bool?) {
            (self.sequence, self.count, self.isIdle) = (sequence, count, isIdle)
        }

        init(of handle: Relux.StoreHandle, from isolation: (any Actor)? = nil) {
            let site = Relux.CallSite(fileID: #fileID, line: #line)
            sequence = handle.dispatchStep(Tally.Action.increment, at: site, from: isolation, notTelling: 0) { _ in
                .zero
            } didReduce: { _, _ in
            }
            count = handle.readIfQuiet(from: isolation) { $0[Tally.self]?.count ?? -1 }
            isIdle = handle.isIdleIfQuiet(from: isolation)
        }
    }

    /// Makes a step at a time, and returns the record that the tool takes.
    private func step(in store: Relux.Store, at time: Duration, notTelling own: Int = 0) -> Relux.ActionRecord? {
        let records = Trace<Relux.ActionRecord>()
        let site = Relux.CallSite(fileID: #fileID, line: #line)
        _ = store.handle.dispatchStep(Tally.Action.increment, at: site, from: nil, notTelling: own) { _ in
            time
        } didReduce: { _, record in
            records.note(record)
        }
        return records.entries.first
    }

    @Test("have the tool's time, and leave later actions theirs")
    func times() async throws {
        let clock = ManualClock()
        let recorder = RecordingObserver()
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { TallyModule() }

        let records = [step(in: store, at: .zero), step(in: store, at: .zero), step(in: store, at: .seconds(1))]
        await clock.advance(by: .seconds(2))
        await store.dispatch(Tally.Action.increment)
        await clock.advance(by: .seconds(3))
        await store.dispatch(Tally.Action.increment)

        #expect(records.map { $0?.time } == [.zero, .zero, .seconds(1)])
        #expect(records.map { $0?.sequence } == [1, 2, 3])
        #expect(recorder.records.map(\.time) == [0, 0, 1, 2, 5].map { .seconds($0) })
    }

    @Test("tell every observer except the tool's, with the states as the step left them")
    func observers() async throws {
        let own = [RecordingObserver(), RecordingObserver()]
        let other = RecordingObserver()
        let counts = Trace<Int?>()
        let reader = TallyReader(counts: counts)
        let store = try await Relux.Store(.init(observers: [own[0], own[1], other, reader])) { TallyModule() }

        let record = step(in: store, at: .zero, notTelling: 2)

        #expect(record?.sequence == 1)
        #expect(own.map(\.records.count) == [0, 0])
        #expect(other.records.map(\.sequence) == [1])
        #expect(counts.entries == [1])
    }

    @Test("do nothing without a time")
    func withoutTime() async throws {
        let store = try await Relux.Store { TallyModule() }
        let site = Relux.CallSite(fileID: #fileID, line: #line)

        let sequence = store.handle.dispatchStep(Tally.Action.increment, at: site, from: nil, notTelling: 0) { _ in
            nil
        } didReduce: { _, _ in
            Issue.record("The step was made.")
        }

        #expect(sequence == nil)
        #expect(try await store.state(of: Tally.self).count == 0)
    }

    @Test("are made on the caller's thread as long as nothing else is to be done first")
    func quiet() async throws {
        let store = try await Relux.Store { TallyModule() }

        #expect(Answers(of: store.handle) == Answers(sequence: 1, count: 1, isIdle: true))
        #expect(Answers(of: store.handle) == Answers(sequence: 2, count: 2, isIdle: true))
    }

    @Test("do nothing while mail is waiting")
    func behindMail() async throws {
        let world = SeededExecutor(seed: 1)
        let store = Relux.Store(.init(executor: world))
        try await store.register(TallyModule())

        store.send(Tally.Action.increment)
        let answers = Answers(of: store.handle)
        await world.rest()

        #expect(answers == Answers.none)
        #expect(Answers(of: store.handle) == Answers(sequence: 2, count: 2, isIdle: true))
    }

    @Test("do nothing for a caller that belongs to an actor or to a run")
    func otherCallers() async throws {
        let inRun = Trace<Answers?>()
        let link = StoreLink()
        let store = try await Relux.Store {
            TallyModule()
            WorkSaga { _, _ in inRun.note(link.store.map { Answers(of: $0.handle) }) }.module()
        }
        link.connect(to: store)

        let ofAnActor = Answers(of: store.handle, from: MainActor.shared)
        try await store.perform(Work())

        #expect(ofAnActor == Answers.none)
        #expect(inRun.entries == [Answers.none])
        #expect(try await store.state(of: Tally.self).count == 0)
    }

    @Test("know whether the store is open")
    func shutDown() async throws {
        func error(in store: Relux.Store) -> String? {
            store.handle.readIfQuiet(from: nil) { states in
                do throws(Relux.StoreError) {
                    return "\(try states.state(of: Log.self))"
                } catch {
                    if case .storeShutDown = error { return "shut down" } else { return "not owned" }
                }
            }
        }
        let store = try await Relux.Store { TallyModule() }

        let before = error(in: store)
        await store.shutdown()

        #expect(before == "not owned")
        #expect(error(in: store) == "shut down")
    }

    @Test("may follow a registration, which shows the states as it left them")
    func registration() async throws {
        let store = Relux.Store()
        let counts = Trace<Int?>()

        try await store.handle.register([TallyModule()], at: Relux.CallSite(fileID: #fileID, line: #line)) { states in
            counts.note(states[Tally.self]?.count)
        }

        #expect(counts.entries == [0])
    }
}
