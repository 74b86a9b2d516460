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
    private struct TallyReader: Relux.StateObserver {
        let counts: Trace<Int?>

        func actionReduced(_ record: Relux.ActionRecord, leaving states: borrowing Relux.StateReader) {
            counts.note(states[Tally.self]?.count)
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
}
