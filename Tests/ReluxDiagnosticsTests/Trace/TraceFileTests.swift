import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("Trace files")
struct TraceFileTests {
    private func recorded() async throws -> Relux.Trace {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) {
            Shop.Module()
            Room.Module(id: "a")
        }
        try await store.perform(Shop.Effect.load)
        try await store.perform(Shop.Effect.rename(2, "Green tea"))
        await store.scope(of: Room.Module.self, id: "a").dispatch(Room.State.Action.said("hello"))
        await store.dispatch(Room.State.Action.said("lost"))
        recorder.note("a note")
        return recorder.trace
    }

    @Test("a trace that was written and read says the same")
    func roundTrip() async throws {
        let trace = try await recorded()

        let read = try Relux.Trace(jsonLines: trace.jsonLines, modules: [Shop.Module()])

        #expect(read.lines == trace.lines)
        #expect(read.why("Shop.State.list[2].title").description == trace.why("Shop.State.list[2].title").description)
        #expect(read.why(Shop.State.self, \.[2]?.title).action?.sequence == 5)
        #expect(read.actions.map { $0.value == nil } == trace.actions.map { _ in false })
        #expect(read.jsonLines == trace.jsonLines)
    }

    @Test("a trace is written through a symbolic link, and to what isn't a file")
    func specialFiles() async throws {
        let trace = try await recorded()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link) = (folder.appending(path: "file"), folder.appending(path: "link"))
        try Data("old".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)

        try trace.write(to: link)
        // A device can't be replaced by anybody but the superuser, who must not replace it either.
        try trace.write(to: URL(filePath: "/dev/null"))

        #expect(try String(contentsOf: file, encoding: .utf8) == trace.jsonLines)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path()) == file.path())
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType != .typeRegular)
    }

    @Test("the header lists the types with their cases")
    func header() async throws {
        let trace = try await recorded()

        let header = try #require(trace.jsonLines.split(separator: "\n").first)

        #expect(
            header.contains("\"name\":\"Shop.State.Action\",\"parts\":[\"loaded\",\"renamed\",\"removed\",\"noted\"]"))
        #expect(header.contains("\"name\":\"Shop.State\",\"parts\":[\"list\",\"isLoading\",\"note\"]"))
    }

    @Test("a trace of another version of the program is refused with the differences")
    func otherTypes() async throws {
        let text = try await recorded().jsonLines
            .replacing("\"removed\",\"noted\"]", with: "\"deleted\",\"noted\"]")

        let error = #expect(throws: Relux.TraceError.self) { try Relux.Trace(jsonLines: text) }

        #expect(
            error
                == .otherTypes([
                    "Shop.State.Action.deleted doesn't exist here.", "Shop.State.Action.removed is new here.",
                ]))
    }

    @Test("a file whose lines end as those of other systems do is read")
    func lineEnds() async throws {
        let text = try await recorded().jsonLines

        let trace = try Relux.Trace(jsonLines: text.replacing("\n", with: "\r\n"))

        #expect(try trace.lines == Relux.Trace(jsonLines: text).lines)
    }

    @Test("other formats, other files, and damaged lines are refused")
    func damage() async throws {
        let text = try await recorded().jsonLines
        let lines = text.split(separator: "\n")

        #expect(throws: Relux.TraceError.notATrace) { try Relux.Trace(jsonLines: "") }
        #expect(throws: Relux.TraceError.notATrace) { try Relux.Trace(jsonLines: "{\"a\":1}\n") }
        #expect(throws: Relux.TraceError.otherFormat(version: 9)) {
            try Relux.Trace(jsonLines: text.replacing("\"version\":1", with: "\"version\":9"))
        }
        #expect(throws: Relux.TraceError.damaged(line: 3)) {
            try Relux.Trace(jsonLines: lines[0...1].joined(separator: "\n") + "\n{\"event\":\"act\n")
        }
        #expect(throws: Relux.TraceError.damaged(line: 2)) {
            try Relux.Trace(jsonLines: lines[0] + "\n{\"event\":\"act\"}\n")
        }
    }

    @Test("a file can be written and read")
    func files() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let trace = try await recorded()

        try trace.write(to: file)

        #expect(try Relux.Trace(contentsOf: file).lines == trace.lines)
    }

    @Test("redacted values reach no text, no file, and no page")
    func redacted() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Vault.Module() }
        await store.dispatch(Vault.State.Action.signedIn(.init("p4ss")))
        await store.dispatch(Vault.State.Action.signedIn(.init("w0rd")))

        let trace = recorder.trace
        for text in [trace.jsonLines, trace.description, trace.timeline(), trace.perfetto()] {
            #expect(!text.contains("p4ss"))
            #expect(!text.contains("w0rd"))
            #expect(text.contains("<private>") || text.contains("\\u003cprivate>"))
        }
        #expect(trace.why(Vault.State.self, \.token).action?.sequence == 2)
        #expect(trace.why("Vault.State.token").action?.sequence == 2)
    }
}
