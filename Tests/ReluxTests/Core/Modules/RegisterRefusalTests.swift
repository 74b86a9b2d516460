import Relux
import TestFixtures
import Testing

@Suite("Refusals of register", .timeLimit(.minutes(10)))
struct RegisterRefusalTests {
    private static let answer = AskFlow<TagA>()
    private static let foreign = Relux.Reducer(of: Log.self, on: Tick.self) { _, _ in }

    struct Hen: Relux.Module {
        var dependencies: [any Relux.Module] { [Egg()] }
    }

    struct Egg: Relux.Module {
        var dependencies: [any Relux.Module] { [Hen()] }
    }

    private static let place = "ReluxTests.RegisterRefusalTests"
    private static let part = "ReluxTests.Part<ReluxTests.TagA>"

    /// Modules that don't fit together, and what the error says.
    struct Misfit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let modules: [any Relux.Module]
        let text: String
    }

    static let misfits = [
        Misfit(
            testDescription: "a state of two modules", modules: [Part<TagA>(states: [Log()]), Log.Module()],
            text: "Both \(part) and ReluxTests.Log.Module list ReluxTests.Log. A state belongs to exactly one module: "
                + "remove it from one of them, and make that one depend on the other."),
        Misfit(
            testDescription: "a state that one module lists twice", modules: [Part<TagA>(states: [Log(), Log()])],
            text: "\(part) lists ReluxTests.Log twice. A module can list each type of state only once: "
                + "remove one."),
        Misfit(
            testDescription: "a flow of two modules",
            modules: [Part<TagA>(flows: [answer]), Part<TagB>(flows: [answer])],
            text: "Both \(part) and ReluxTests.Part<ReluxTests.TagB> list a flow for ReluxTests.Ask<ReluxTests.TagA>. "
                + "An effect can have only one flow: make one of them a saga, or give it an effect of its own."),
        Misfit(
            testDescription: "two flows of one module", modules: [Part<TagA>(flows: [answer, answer])],
            text: "\(part) lists two flows for ReluxTests.Ask<ReluxTests.TagA>. An effect can have only one "
                + "flow: make one of them a saga, or give it an effect of its own."),
        Misfit(
            testDescription: "a foreign reducer", modules: [Part<TagA>(reducers: [foreign])],
            text: "\(part) lists a reducer of ReluxTests.Log for ReluxTests.Tick, but neither owns that state "
                + "nor depends on the module that does. Add that module to its `dependencies`."),
        Misfit(
            testDescription: "a dependency cycle", modules: [Part<TagA>(dependencies: [Hen()])],
            text: "These modules form a dependency cycle: \(place).Hen → \(place).Egg → \(place).Hen. Move what "
                + "they share into a separate module."),
    ]

    @Test("the error for modules that don't fit together names them, and says what to do", arguments: misfits)
    func misfit(_ misfit: Misfit) async {
        let error = await #expect(throws: Relux.StoreError.self) { try await Relux.Store { misfit.modules } }

        #expect(error?.description == misfit.text)
    }

    @Test("the errors for a read of a missing state, and for a call after shutdown, name the line")
    func lines() async {
        let store = Relux.Store()
        let missing = await #expect(throws: Relux.StoreError.self) {
            try await store.state(of: Log.self, fileID: "App/Here.swift", line: 7)
        }
        await store.shutdown()
        let late = await #expect(throws: Relux.StoreError.self) {
            try await store.register(Log.Module(), fileID: "App/Here.swift", line: 8)
        }

        #expect(
            missing?.description
                == "No registered module owns ReluxTests.Log (App/Here.swift:7). Register the module that lists it in "
                + "`states`.")
        #expect(
            late?.description
                == "The store was shut down or released before this call (App/Here.swift:8). Keep it alive for as long "
                + "as it is used.")
    }

    @Test("the error for a registration by a cancelled run names the run and the line")
    func staleRun() async throws {
        let gate = Gate()
        let refused = Trace<String>()
        let store = try await Relux.Store {
            WorkSaga { _, context in
                await gate.pass()
                do throws(Relux.StoreError) {
                    try await context.register(Part<TagA>.counting(), fileID: "App/Here.swift", line: 7)
                } catch {
                    refused.note(error.description)
                }
            }.module()
        }
        let dispatched = await store.dispatch(Work())
        await gate.arrivals()
        await store.cancel(WorkSaga.self)

        gate.open()
        await dispatched.finished()

        #expect(refused.entries == ["WorkSaga #1 is no longer active and can't change the store (App/Here.swift:7)."])
        #expect(await store.count(of: TagA.self) == nil)
    }
}
