import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("Pages and trace events", .timeLimit(.minutes(10)))
struct TimelineTests {
    private func recorded() async throws -> Relux.Trace {
        let clock = ManualClock()
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { Shop.Module() }
        try await store.perform(Shop.Effect.load)
        await clock.advance(by: .milliseconds(3))
        try await store.perform(Shop.Effect.rename(2, "</script><b>"))
        await store.dispatch(Room.State.Action.said("lost"))
        var trace = recorder.trace
        trace.title = "A <shop> & more"
        return trace
    }

    @Test("the page is whole, and needs nothing from elsewhere")
    func page() async throws {
        let page = try await recorded().timeline(lead: "It failed.")

        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<title>A &lt;shop> &amp; more</title>"))
        #expect(!page.contains("{{"))
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src=\""))
        #expect(page.contains("It failed."))
    }

    @Test("a text of the trace can't end the page's script")
    func escaping() async throws {
        let page = try await recorded().timeline()

        #expect(page.components(separatedBy: "</script>").count == 3)
        #expect(page.contains("\\u003c/script>\\u003cb>"))
    }

    @Test("Perfetto's events have the actions, the runs, and the arrows between them")
    func perfetto() async throws {
        struct File: Decodable { let traceEvents: [Event] }
        struct Event: Decodable {
            let ph: String
            let name: String
            let ts: Double?
            let dur: Double?
            let bindID: String?
            let flowIn: Bool?
            let flowOut: Bool?

            enum CodingKeys: String, CodingKey {
                case ph, name, ts, dur
                case bindID = "bind_id"
                case flowIn = "flow_in"
                case flowOut = "flow_out"
            }
        }
        let text = try await recorded().perfetto()

        let events = try JSONDecoder().decode(File.self, from: Data(text.utf8)).traceEvents

        let actions = events.filter { $0.ph == "X" }
        #expect(
            actions.map(\.name).prefix(3) == [
                "Shop.Effect.load", "Shop.State.Action.loaded", "Shop.Effect.rename",
            ])
        #expect(actions.allSatisfy { ($0.dur ?? 0) >= 1 })
        #expect(zip(actions, actions.dropFirst()).allSatisfy { ($0.ts ?? 0) + 1 <= ($1.ts ?? 0) })
        #expect(events.count { $0.ph == "b" } == events.count { $0.ph == "e" })
        // Every arrow that arrives has left.
        let left = Set(events.filter { $0.flowOut == true }.compactMap(\.bindID))
        let arrived = Set(events.filter { $0.flowIn == true }.compactMap(\.bindID))
        #expect(!arrived.isEmpty && arrived.isSubset(of: left))
    }

    @Test("in Perfetto, an arrow leads from an action to what a rule has added")
    func perfettoOfRules() async throws {
        let recorder = Relux.TraceRecorder(states: .none)
        let store = try await Relux.Store(.init(observers: [recorder])) {
            Room.Module(id: "a")
            Ruled()
        }
        await store.scope(of: Room.Module.self, id: "a").dispatch(Room.State.Action.said("hello"))
        await store.dispatch(Rung())

        let text = recorder.trace.perfetto()

        #expect(text.contains("\"a rule on #2\""))
        #expect(text.contains("\"flow_out\":true"))
    }
}

private struct Rung: Relux.Broadcast {}
private struct Answered: Relux.Broadcast {}

private struct Ruled: Relux.Module {
    var states: [any Relux.State] { [] }
    var rules: [Relux.Rule] { [Relux.Rule(on: Rung.self) { _, _ in [Answered()] }] }
}
