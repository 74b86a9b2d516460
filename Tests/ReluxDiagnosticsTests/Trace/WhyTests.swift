import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("Why a value changed")
struct WhyTests {
    private func renamed() async throws -> Relux.TraceRecorder {
        let clock = ManualClock()
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { Shop.Module() }
        try await store.perform(Shop.Effect.load, fileID: "App/Main.swift", line: 1)
        await clock.advance(by: .seconds(2))
        try await store.perform(Shop.Effect.rename(2, "Green tea"), fileID: "App/Main.swift", line: 2)
        await store.dispatch(Shop.State.Action.renamed(id: 1, title: "Oat milk"), fileID: "App/Main.swift", line: 3)
        return recorder
    }

    @Test("the answer names the action, the run, and the first call")
    func text() async throws {
        let recorder = try await renamed()

        #expect(
            recorder.trace.why("Shop.State.list[2].title").description == """
                Shop.State.list[2].title changed from "Tea" to "Green tea"
                  by #5 Shop.State.Action.renamed(id: 2, title: "Green tea")
                      at 2 s, Shop/Saga.swift:3
                  in Shop.Saga #2, from 2 s until 2 s, finished
                  for #3 Shop.Effect.rename(2, "Green tea")
                      at 2 s, App/Main.swift:2
                  which began at App/Main.swift:2
                """
        )
    }

    @Test("a key path and a text lead to the same answer, as a value too")
    func keyPath() async throws {
        let recorder = try await renamed()

        let why = recorder.why(Shop.State.self, \.[2]?.title)

        #expect(why.action?.sequence == 5)
        #expect(why.old == "\"Tea\"")
        #expect(why.new == "\"Green tea\"")
        #expect(why.origin == "App/Main.swift:2")
        #expect(why.causes.count == 3)
        #expect(recorder.trace.why("Shop.State.list[2]?.title").action?.sequence == 5)
        #expect(recorder.trace.why("Shop.State.list").action?.sequence == 6)
        #expect(recorder.trace.why("Shop.State.isLoading").action?.sequence == 2)
    }

    @Test("an unchanged value, and an unknown one, say so")
    func unchanged() async throws {
        let trace = try await renamed().trace

        #expect(
            trace.why(Shop.State.self, \.note).description
                == "Shop.State.note: nothing in this trace has changed it; it is nil")
        #expect(trace.why("Shop.Stat.note").action == nil)
        #expect(trace.why("Shop.Stat.note").remark?.hasPrefix("this trace has no values of it") == true)
    }
}
