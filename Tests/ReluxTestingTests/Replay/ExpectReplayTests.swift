import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("expectReplay, and the pages of simulations", .timeLimit(.minutes(10)))
struct ExpectReplayTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)")

    /// Writes a trace of a counter, and returns its text.
    private func recorded() async throws -> String {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Counting.Module() }
        await store.dispatch(Counting.State.Action.added(2))
        await store.dispatch(Counting.Effect.double)
        await store.dispatch(Counting.State.Action.added(3))
        return recorder.trace.jsonLines
    }

    private func written(_ text: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "bug.jsonl")
        try Data(text.utf8).write(to: file)
        return file
    }

    @Test("a trace that gives the same states passes, by URL and by path")
    func same() async throws {
        let file = try written(await recorded())
        defer { try? FileManager.default.removeItem(at: folder) }

        let own = expectReplay(file, of: [Counting.State.Action.self])
        let all = expectReplay(file.path(percentEncoded: false)) { Counting.Module() }

        #expect(own?.checked == 2)
        #expect(all?.checked == 3)
    }

    @Test("the first action that gives another state fails, and so does what can't be checked")
    func different() async throws {
        let text = try await recorded()
        defer { try? FileManager.default.removeItem(at: folder) }

        let file = try written(
            text.replacing("\"value\":\"{\\\"n\\\":7}\"", with: "\"value\":\"{\\\"n\\\":8}\"")
                .replacing("\"new\":\"7\"", with: "\"new\":\"8\""))
        withKnownIssue {
            let result = expectReplay(file) { Counting.Module() }
            #expect(result?.impure?.action.sequence == 3)
        } matching: {
            "\($0)".contains("The replay differs. #3 Counting.State.Action.added(3)")
        }
        let same = try written(text)
        for types in [[], [Counting.State.self]] as [[Any.Type]] {
            withKnownIssue {
                expectReplay(same, of: types)
            } matching: {
                "\($0)".contains("Not everything could be reduced again: Counting.Effect.")
            }
        }
        withKnownIssue {
            expectReplay(same, of: [Counting.State.Action.self, Other.Action.self])
        } matching: {
            "\($0)".contains("Not everything could be reduced again: ") && "\($0)".contains("Other.Action.")
        }
        withKnownIssue {
            expectReplay("no such file", of: [Counting.State.Action.self])
        } matching: {
            "\($0)".contains("no such file can't be replayed.")
        }
    }

    @Test("a type of action whose states the trace doesn't have fails, unless only others must be checked")
    func missingStates() async throws {
        let recorder = Relux.TraceRecorder(states: .changed(of: [Other.self]))
        let store = try await Relux.Store(.init(observers: [recorder])) {
            Counting.Module()
            Other.Module()
        }
        await store.dispatch(Counting.State.Action.added(2))
        await store.dispatch(Other.Action.switched)
        let file = try written(recorder.trace.jsonLines)
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(expectReplay(file, of: [Other.Action.self, Other.self])?.checked == 1)
        for types in [[Counting.State.Action.self], []] as [[any Relux.Action.Type]] {
            withKnownIssue {
                expectReplay(file, of: types)
            } matching: {
                "\($0)".contains("Not everything could be reduced again: Counting.State.Action.")
            }
        }
    }

    @Test("an exploration that fails writes the shrunk failure as a page and a trace")
    func pages() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let folder = folder

        await withKnownIssue {
            await Simulation.explore(seeds: 0..<50, traces: folder) { world in
                let store = try await world.store { Counting.Module() }
                world.always("the number stays small", of: Counting.State.self) { $0.n < 3 }
                for amount in 1...3 {
                    world.task {
                        try await world.latency(.milliseconds(1) ... .milliseconds(9))
                        await store.dispatch(Counting.State.Action.added(UInt64(amount)))
                    }
                }
            }
        } matching: {
            "\($0)".contains("It is shown in ")
        }

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
        #expect(names.count == 2)
        let page = try #require(names.first { $0.hasPrefix("ExpectReplayTests-") && $0.hasSuffix(".html") })
        let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        #expect(text.contains("the number stays small"))
        #expect(text.contains("Counting.State.Action.added"))
        #expect(text.contains("latency of"))
        let file = folder.appending(path: try #require(names.first { $0.hasSuffix(".jsonl") }))
        expectReplay(file, of: [Counting.State.Action.self])
    }

    @Test("an exploration that passes writes nothing")
    func nothing() async throws {
        await Simulation.explore(seeds: 0..<3, traces: folder.path(percentEncoded: false)) { world in
            _ = try await world.store { Counting.Module() }
        }

        #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
    }
}

struct Other: Relux.State, Codable {
    enum Action: Relux.Action, Codable { case switched }

    struct Module: Relux.Module { var states: [any Relux.State] { [Other()] } }

    var isOn = false

    mutating func reduce(_ action: Action) { isOn.toggle() }
}

enum Counting {
    struct State: Relux.State, Codable {
        var n: UInt64 = 0
        enum Action: Relux.Action, Codable { case added(UInt64) }
        mutating func reduce(_ action: Action) {
            switch action {
            case .added(let amount): n += amount
            }
        }
    }

    enum Effect: Relux.Effect, Codable { case double }

    struct Module: Relux.Module {
        var states: [any Relux.State] { [State()] }
        var reducers: [Relux.Reducer] { [Relux.Reducer(of: State.self, on: Effect.self) { state, _ in state.n *= 2 }] }
        var sagas: [any Relux.Saga] { [Relux.Reaction(to: Effect.self) { _, _ in }] }
    }
}
