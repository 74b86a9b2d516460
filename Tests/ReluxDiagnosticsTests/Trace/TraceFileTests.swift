import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("Trace files", .timeLimit(.minutes(10)))
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

    @Test("no number in a file makes reading, showing or replaying it trap")
    func hostileNumbers() async throws {
        let text = try await recorded().jsonLines
        let numbers = text.matches(of: /[:\[,](-?[0-9]+)(?=[,\]}])/).map { $0.1.startIndex..<$0.1.endIndex }
        let hostile = ["0", "-1", "\(UInt64.max)", "\(UInt64.max / 2)", "\(Int64.min)", "1e300"]
        var readCount = 0

        for range in numbers {
            for number in hostile {
                let damaged = String(text[..<range.lowerBound] + number + text[range.upperBound...])
                // Not every number is one of its field.
                guard let trace = try? Relux.Trace(jsonLines: damaged, modules: [Shop.Module()]) else { continue }
                readCount += 1
                let machine = Relux.TimeMachine(trace)
                for sequence: UInt64 in [0, 1, .max] { _ = machine.state(of: Shop.State.self, at: sequence) }
                _ = (machine.verify().description, trace.timeline(), trace.perfetto(), trace.jsonLines, trace.lines)
                _ = trace.why("Shop.State.list[2].title").description
                _ = trace.why(Room.State.self, \Room.State.lines.count).description
            }
        }

        #expect(numbers.count > 50 && readCount > numbers.count)
    }

    @Test("the first action may have the number 0, and its state can be asked for")
    func sequenceZero() async throws {
        let text = try await recorded().jsonLines.replacing("\"sequence\":1,", with: "\"sequence\":0,")

        let machine = Relux.TimeMachine(try Relux.Trace(jsonLines: text, modules: [Shop.Module()]))

        #expect(machine.trace.actions.first?.sequence == 0)
        #expect(machine.state(of: Shop.State.self, at: 0)?.isLoading == true)
    }

    @Test("a page knows numbers of more than 53 bits exactly")
    func largeNumbers() async throws {
        let (trigger, run) = (UInt64.max - 1, UInt64.max)
        let text = try await recorded().jsonLines
            .replacing("\"sequence\":1,", with: "\"sequence\":\(trigger),")
            .replacing("\"trigger\":1}", with: "\"trigger\":\(trigger)}")
            .replacing("\"id\":1,", with: "\"id\":\(run),")

        let page = try Relux.Trace(jsonLines: text).timeline()

        #expect(page.contains("[\"a\",0,\"\(trigger)\","))
        #expect(page.contains("[\"s\",0,\"\(run)\"]"))
        #expect(page.contains("\"\(run)\":[\"Shop.Saga\",\"Shop.Saga #1\",\"\(trigger)\","))
    }

    @Test("texts of a trace control no terminal, and the page and the file have them as they are")
    func commands() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Shop.Module() }
        recorder.note("a\u{1B}[2Jb\nc\u{61C}d\u{200E}e\u{200F}f\u{202E}g")
        await store.dispatch(Shop.State.Action.noted("\u{200F}"))

        let trace = try Relux.Trace(jsonLines: recorder.trace.jsonLines)

        #expect(trace.lines[1] == "0 s  a\\u{1B}[2Jb\\nc\\u{061C}d\\u{200E}e\\u{200F}f\\u{202E}g")
        #expect(trace.description == recorder.trace.description)
        #expect(trace.why("Shop.State.note").description.contains("\\u{200F}"))
        #expect(!trace.why("Shop.State.note").description.contains("\u{200F}"))
        #expect(trace.why("Shop.State.note").new == "\"\u{200F}\"")
    }

    @Test("a name of a type that isn't one never reaches the runtime, which would follow it as a pointer")
    func hostileNames() async throws {
        let text = try await recorded().jsonLines
        let name = try #require(text.firstMatch(of: /"runtimeName":"([^"]+)"/)).1

        let damaged = text.replacing(name, with: "\\u0001\\u0070\\u007f\\u007f\\u0070")

        #expect(throws: Relux.TraceError.self) { try Relux.Trace(jsonLines: damaged) }
    }

    @Test("a path that is longer than any that is written is damage, because it could build a value of any depth")
    func longPaths() async throws {
        let header = try #require(try await recorded().jsonLines.split(separator: "\n").first)
        func line(_ depth: Int) -> String {
            let path = Array(repeating: "\"a\"", count: depth).joined(separator: ",")
            return header
                + "\n{\"event\":\"reset\",\"states\":[{\"type\":\"S\",\"changes\":[{\"path\":[\(path)]}]}]}\n"
        }

        #expect(throws: Never.self) { try Relux.Trace(jsonLines: line(40)) }
        #expect(throws: Relux.TraceError.damaged(line: 2)) { try Relux.Trace(jsonLines: line(41)) }
    }

    /// A secret below a number of structs, all of which can be encoded.
    private indirect enum Nest: Codable, Equatable, Sendable {
        case secret(Token)
        case nest(Nest)

        init(depth: Int) { self = depth == 0 ? .secret(Token(value: .init("p4ss"))) : .nest(Nest(depth: depth - 1)) }
    }

    private class Ancestor: @unchecked Sendable {
        let token = Token(value: .init("p4ss"))
    }

    private class Parent: Ancestor, @unchecked Sendable {}

    private final class Child: Parent, Codable, @unchecked Sendable {
        override init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws { try token.encode(to: encoder) }
    }

    @Test("a secret is found at any depth, in every superclass, and behind references that lead in circles")
    func deepSecrets() async throws {
        struct Held: Relux.State, Codable {
            var nest = Nest(depth: 0)
            var child = Child()
            static func == (lhs: Self, rhs: Self) -> Bool { lhs.nest == rhs.nest && lhs.child === rhs.child }

            enum Action: Relux.Action, Codable { case nested(Nest), held(Child) }
            mutating func reduce(_ action: Action) {
                switch action {
                case .nested(let nest): self.nest = nest
                case .held(let child): self.child = child
                }
            }
        }
        struct Module: Relux.Module { var states: [any Relux.State] { [Held()] } }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Module() }

        for depth in [1, 40, 200] { await store.dispatch(Held.Action.nested(Nest(depth: depth))) }
        await store.dispatch(Held.Action.held(Child()))

        let trace = recorder.trace
        #expect(trace.actions.count == 4)
        for text in [trace.jsonLines, trace.description, trace.timeline(), trace.perfetto()] {
            #expect(!text.contains("p4ss"))
        }
    }

    @Test("a value that leads to itself is written without a search that never ends")
    func circles() async throws {
        final class Node: Codable, @unchecked Sendable {
            var next: Node?
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("node")
            }
            init() { next = self }
            init(from decoder: any Decoder) throws {}
        }
        struct Met: Relux.Broadcast, Codable { var node = Node() }
        let recorder = Relux.TraceRecorder()
        let store = Relux.Store(.init(observers: [recorder]))

        await store.dispatch(Met())

        #expect(recorder.trace.jsonLines.contains("\"value\":\"{\\\"node\\\":\\\"node\\\"}\""))
    }
}

/// A secret that is encoded without its wrapper.
private struct Token: Codable, Equatable, Sendable {
    let value: Relux.Redacted<String>

    init(value: Relux.Redacted<String>) { self.value = value }
    init(from decoder: any Decoder) throws { value = .init(try decoder.singleValueContainer().decode(String.self)) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.value)
    }
}
